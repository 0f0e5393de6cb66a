"""Sessions: connections that identify themselves, send requests and actions, and receive answers."""
