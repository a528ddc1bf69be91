"""How large a request may be: cut off while it arrives, before anything is kept of it.

Django reads the whole body of a request into a file before it asks who sent it.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeVar

from django.conf import settings
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from brain.lib.errors import TooLargeError

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]
View = TypeVar("View", bound=Callable[..., object])

# In the scope of a request whose body was cut off: how many bytes its address takes.
CUT_OFF = "brain.body_limit"
_LIMIT = "body_limit"
_NAMED: dict[str, Callable[[], int]] = {}


def takes_up_to(limit: Callable[[], int]) -> Callable[[View], View]:
    """Let a view take bodies of as many bytes as `limit` says then (uploads)."""

    def marked(view: View) -> View:
        setattr(view, _LIMIT, limit)
        return view

    return marked


def address_takes_up_to(name: str, limit: Callable[[], int]) -> None:
    """Let an address of this name (`api:…`) take as much: what serves REST hides its views."""
    _NAMED[name] = limit


def too_large(limit: int) -> TooLargeError:
    said = _("The request is larger than %(kilobytes)d kB, the most that is taken here.")
    return TooLargeError(said % {"kilobytes": limit // 1024}, hint=_("Send less at a time."))


class BodyLimit:
    """Hand a request on without the body that is too large; the middleware then refuses it."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        body = _Body(scope, receive)
        if _announced(scope) > settings.MAX_BODY_BYTES and _announced(scope) > _limit(scope):
            body.cut_off()
        await self._application(scope, body.receive, send)


class _Body:
    """Passes a body on as it arrives, and ends it where it grows too large."""

    def __init__(self, scope: Message, receive: Receive) -> None:
        self._scope, self._receive = scope, receive
        self._taken, self._has_ended = 0, False

    def cut_off(self) -> None:
        self._scope[CUT_OFF] = _limit(self._scope)

    async def receive(self) -> Message:
        if CUT_OFF not in self._scope:
            message = await self._receive()
            self._taken += len(message.get("body", b""))
            if self._taken <= settings.MAX_BODY_BYTES or self._taken <= _limit(self._scope):
                return message
            self.cut_off()
        if not self._has_ended:
            self._has_ended = True
            return {"type": "http.request", "body": b"", "more_body": False}
        # What still arrives is let go; after a body, an application hears of the end only.
        while (message := await self._receive())["type"] != "http.disconnect":
            pass
        return message


def _announced(scope: Message) -> int:
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(lengths[0]) if lengths and lengths[0].isdigit() else 0


def _limit(scope: Message) -> int:
    """Return what the address takes: the general limit, unless its view names another."""
    try:
        found = resolve(scope["path"])
    except Resolver404:
        return int(settings.MAX_BODY_BYTES)
    named = getattr(found.func, _LIMIT, None) or _NAMED.get(found.view_name)
    return named() if named else int(settings.MAX_BODY_BYTES)
