"""Texts for people: sentences, tables, widths, translation, styles. Pure."""
