"""Times as text. A race time is shown to the millisecond, as it is ranked."""


def exact(milliseconds: int) -> str:
    """Return a race time such as `1:02.345` or `1:00:02.345`."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{rough(seconds * 1000)}.{rest:03}"


def rough(milliseconds: int) -> str:
    """Return a clock such as `1:02` or `1:00:02`, whole seconds rounded down."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
