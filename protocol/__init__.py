"""The messages on the wire, their encodings, codes and limits, each defined once."""
