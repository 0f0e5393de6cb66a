"""WebSocket connections over the Sans-I/O layer of `websockets`."""
