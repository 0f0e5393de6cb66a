"""Pure part of the client: conversation, model, commands, verification."""
