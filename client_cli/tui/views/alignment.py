"""Lines padded, centred and justified by the cells that they take."""

from client_cli.text.style import Line, Segment, Tone, clip, width_of


def padded(line: Line, width: int) -> Line:
    """Return a line that takes at least `width` cells."""
    missing = width - width_of(line)
    return (*line, Segment(" " * missing)) if missing > 0 else line


def centred(line: Line, width: int) -> Line:
    """Return a line in the middle of `width` cells."""
    before = (width - width_of(line)) // 2
    return (Segment(" " * before), *line) if before > 0 else line


def justified(left: Line, right: Line, width: int, cut: str) -> Line:
    """Return a line with a part at each end; the left part is clipped where both do not fit."""
    room = max(0, width - width_of(right))
    return clip((*padded(clip(left, max(0, room - 1), cut), room), *right), width, cut)


def striped(line: Line, width: int) -> Line:
    """Return a line as a stripe over `width` cells, as the first and the last line of the screen are."""
    return tuple(segment._replace(tone=Tone.STRIPE) for segment in padded(line, width))
