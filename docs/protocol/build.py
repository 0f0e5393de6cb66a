"""Write what is made from the code: the schema, the AsyncAPI document, the generated parts of PROTOCOL.md.

Run it after a change of the protocol: python docs/protocol/build.py
"""

from pathlib import Path

from protocol import asyncapi, reference, schema, vectors

ROOT = Path(__file__).parents[2]
WIRE = ROOT / "tests" / "data" / "wire"


def outputs() -> dict[Path, str]:
    """Return the text of each file that is made, by its path."""
    client = vectors.read(_read(WIRE / "from_client.json"))
    server = vectors.read(_read(WIRE / "from_server.json"))
    race = vectors.read_race(_read(WIRE / "race.json"))
    document = ROOT / "PROTOCOL.md"
    blocks = reference.blocks(client, server, race, _read(ROOT / "protocol" / "limits.py"))
    return {
        ROOT / "docs" / "protocol" / "schema.json": schema.text(schema.document()),
        ROOT / "docs" / "protocol" / "asyncapi.json": schema.text(asyncapi.document([*client, *server])),
        document: reference.fill(_read(document), blocks),
    }


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    for path, text in outputs().items():
        path.write_text(text, encoding="utf-8")
