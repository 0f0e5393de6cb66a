"""Layout of help pages by terminal cells."""

from client_cli.cli.help_page import HelpPage


def page(width: int = 30) -> HelpPage:
    return HelpPage(width=width)


def test_a_long_usage_line_is_indented_below_its_arguments() -> None:
    written = page()
    written.write_usage("simonrace join", "[選項] 房間 某某某某某某某")
    written.write_usage("tool")
    assert written.getvalue() == (f"Usage: simonrace join [選項] 房間 某某某某\n{'':22}某某某\nUsage: tool\n")


def test_paragraphs_are_wrapped() -> None:
    written = page(12)
    with written.indentation():
        written.write_text("one\ntwo three\n\n中文中文中文")
    assert written.getvalue() == "  one two\n  three\n\n  中文中文中\n  文\n"


def test_explanations_begin_in_one_column() -> None:
    written = page()
    written.write_dl([("--name 名字", "你的名字"), ("--x", "one two three four five"), ("--none", "")])
    assert written.getvalue() == (
        "--name 名字  你的名字\n--x          one two three\n             four five\n--none\n"
    )


def test_the_explanation_of_a_long_term_begins_below_it() -> None:
    written = page(40)
    written.write_dl([("--live-boards / --no-live-boards", "short"), ("--x", "y")])
    assert written.getvalue() == (f"--live-boards / --no-live-boards\n{'':32}short\n--x{'':29}y\n")


def test_a_default_is_never_split() -> None:
    """The remark in brackets moves to the next line as a whole, in Chinese as well."""
    written = page()
    written.write_dl(
        [("--port 連接埠", "裁判的連接埠 [預設：1; x>0]"), ("--y", "short [a b]"), ("--z", "[c]")]
    )
    assert written.getvalue() == (
        f"--port 連接埠  裁判的連接埠\n{'':15}[預設：1; x>0]\n--y{'':12}short [a b]\n--z{'':12}[c]\n"
    )
