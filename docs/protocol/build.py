"""Write what is generated from the protocol's code: reference pages, schemas, parts of PROTOCOL.md.

Run it after a change of the protocol: python docs/protocol/build.py
"""

from pathlib import Path

from protocol.docs import asyncapi, codes, guide, markdown, reference, schema, typescript, vectors

ROOT = Path(__file__).parents[2]
HERE = ROOT / "docs" / "protocol"
WIRE = ROOT / "tests" / "data" / "wire"


def outputs() -> dict[Path, str]:
    """Return the text of each generated file by its path."""
    client = vectors.read(_read(WIRE / "from_client.json"))
    server = vectors.read(_read(WIRE / "from_server.json"))
    race = vectors.read_race(_read(WIRE / "race.json"))
    document, limits = ROOT / "PROTOCOL.md", HERE / "limits.md"
    limit_table = codes.limit_table(_read(ROOT / "protocol" / "limits.py"))
    return {
        document: markdown.fill(_read(document), guide.blocks([*client, *server], race)),
        HERE / "messages-client.md": reference.from_client(client),
        HERE / "messages-server.md": reference.from_server(server),
        HERE / "objects.md": reference.objects(),
        HERE / "errors.md": codes.errors(),
        limits: markdown.fill(_read(limits), {"limits": limit_table}),
        HERE / "schema.json": schema.text(schema.document()),
        HERE / "asyncapi.json": schema.text(asyncapi.document([*client, *server])),
        HERE / "protocol.d.ts": typescript.declarations(),
    }


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    for path, text in outputs().items():
        path.write_text(text, encoding="utf-8")
