"""The exception that ends a command."""


class Failure(Exception):  # noqa: N818  # the command failed, not the program
    """The command cannot continue. The message is a sentence for the user."""
