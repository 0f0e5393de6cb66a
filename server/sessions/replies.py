"""Answers to requests, sent in the order in which the requests came."""

from collections import deque
from collections.abc import Callable

from protocol import from_server as say
from protocol.codec import BadInputError
from protocol.errors import ErrorCode
from protocol.from_client import FromClient
from protocol.from_server import FromServer


class Reply:
    """The answer to one request: given once, sent when all earlier requests have been answered."""

    __slots__ = ("_answer", "_flush", "_message", "_on_turn")

    def __init__(self, flush: Callable[[], None], message: FromClient | None) -> None:
        self._flush = flush
        self._message = message
        self._answer: FromServer | None = None
        self._on_turn: Callable[[], None] | None = None  # called when all earlier ones have been answered

    @property
    def answer(self) -> FromServer | None:
        """The answer, or None while there is none."""
        return self._answer

    def when_next(self, act: Callable[[], None]) -> None:
        """Call `act` once all earlier requests have been answered, perhaps at once."""
        self._on_turn = act
        self._flush()

    def take_turn(self) -> None:
        """Call what waits for this turn."""
        act, self._on_turn = self._on_turn, None
        if act is not None:
            act()

    def send(self, answer: FromServer) -> None:
        """Set the answer; it is sent when all earlier requests have been answered."""
        self._answer = answer
        self._flush()

    def error(self, code: ErrorCode, detail: str = "") -> None:
        """Set an error as the answer."""
        self.send(error_for(self._message, code, detail))


class Replies:
    """Replies that wait for their turn. `send` sends a message to the client."""

    __slots__ = ("_send", "_waiting")

    def __init__(self, send: Callable[[FromServer], None]) -> None:
        self._send = send
        self._waiting: deque[Reply] = deque()  # in the order of the requests

    def __len__(self) -> int:
        return len(self._waiting)

    def expect(self, message: FromClient | None) -> Reply:
        """Return the reply to a request that has just come; None for input that could not be read."""
        reply = Reply(self._flush, message)
        self._waiting.append(reply)
        return reply

    def _flush(self) -> None:
        waiting = self._waiting
        while waiting and (answer := waiting[0].answer) is not None:
            waiting.popleft()
            self._send(answer)
        if waiting:
            waiting[0].take_turn()


def error_for(message: FromClient | None, code: ErrorCode, detail: str = "") -> say.Error:
    """Return an error that repeats what identifies the message that it answers."""
    return say.Error(
        ref=getattr(message, "ref", 0),
        request=None if message is None else str(message.__struct_config__.tag),
        race=getattr(message, "race", None),
        n=getattr(message, "n", None),
        code=code,
        text=f"{code.sentence} ({detail})" if detail else code.sentence,
        temporary=code.temporary,
    )


def error_for_input(fault: BadInputError) -> say.Error:
    """Return an error that repeats what could be read of input that is not a message."""
    echo = fault.echo
    return say.Error(
        ref=echo.ref or 0,
        request=echo.request,
        race=echo.race,
        n=echo.n,
        code=fault.code,
        text=fault.text,
    )
