"""Files of the user: identities, preferences, saved records, message log, catalogues."""
