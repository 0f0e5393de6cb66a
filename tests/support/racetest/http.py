"""Plain HTTP, as health checks and Prometheus speak it."""

import asyncio
from urllib.parse import urlsplit

from server.node import Node


async def fetch(url: str, method: str = "GET") -> tuple[int, str]:
    """Request a page; return its status and its body."""
    parts = urlsplit(url)
    async with asyncio.timeout(10):
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        writer.write(
            f"{method} {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n\r\n".encode()
        )
        head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
        writer.close()
        await writer.wait_closed()
    return int(head.split()[1]), body


def url_of(node: Node, scheme: str = "ws") -> str:
    """Return where clients connect to a node."""
    host, port = node.address
    return f"{scheme}://{host}:{port}"
