"""The one way in which a command fails."""


class Failure(Exception):  # noqa: N818  # no error of ours: it is what the person is told
    """The command cannot go on; the message is one sentence for whoever typed it."""
