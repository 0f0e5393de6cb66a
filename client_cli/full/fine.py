"""What changed on the screen in few bytes, for slow lines: only changed cells, only codes that differ.

Textual writes a changed part of a row from the beginning of its widget on, and each piece with all its codes.
This leans on how Textual 8 hands its updates over, which is nothing that it promises: tests hold it, and
without this file everything looks the same.
"""

from functools import lru_cache

from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
from textual._compositor import ChopsUpdate

Codes = tuple[str, str, str]
"""SGR codes of a style: attributes, text colour, ground colour."""

_PLAIN: Codes = ("", "39", "49")


class FineUpdate(ChopsUpdate):
    """Writes the same cells as the update it is made of."""

    @classmethod
    def of(cls, update: ChopsUpdate) -> "FineUpdate":
        """Return the fine form of an update."""
        return cls(update.chops, update.spans, update.chop_ends)

    def render_segments(self, console: Console) -> str:
        """Return what is to be written to the terminal."""
        system = console.color_system
        depth = {"truecolor": ColorSystem.TRUECOLOR, "256": ColorSystem.EIGHT_BIT}.get(
            system or "", ColorSystem.STANDARD
        )
        out: list[str] = []
        before = _PLAIN
        for y, left, right in self.spans:
            for end, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=False):
                if strip is None or x >= right or end <= left:
                    continue
                start = max(x, left)
                out.append(f"\x1b[{y + 1};{start + 1}H")
                for text, style, control in strip.crop(start - x, min(end, right) - x):
                    if control or not text:
                        continue
                    codes = _codes(style or Style.null(), depth) if system else _PLAIN
                    out += (_change(before, codes), text)
                    before = codes
        out.append(_change(before, _PLAIN))
        return "".join(out)


@lru_cache(1024)
def _codes(style: Style, depth: ColorSystem) -> Codes:
    flags = (
        (style.bold, "1"),
        (style.dim, "2"),
        (style.italic, "3"),
        (style.underline, "4"),
        (style.reverse, "7"),
    )
    text = style.color.downgrade(depth).get_ansi_codes() if style.color else ("39",)
    ground = style.bgcolor.downgrade(depth).get_ansi_codes(foreground=False) if style.bgcolor else ("49",)
    return (";".join(code for on, code in flags if on), ";".join(text), ";".join(ground))


@lru_cache(4096)
def _change(before: Codes, after: Codes) -> str:
    """Return the escape sequence that leads from one style to another, empty when they are the same."""
    if before == after:
        return ""
    if before[0] != after[0]:
        before, reset = ("", "39", "49"), ["0"]
    else:
        reset = []
    changed = [new for old, new in zip(before, after, strict=True) if new and new != old]
    return f"\x1b[{';'.join([*reset, *changed])}m"
