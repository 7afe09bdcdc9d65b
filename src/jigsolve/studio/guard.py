"""Who may ask: every request and every WebSocket passes here before anything else sees it.

Host and Origin are compared with exact lists, so that neither a page elsewhere nor a DNS name that
was made to point here gets an answer; then the cookie is, which only the token's address sets.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' blob:; connect-src 'self'; font-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
SAFE = ("GET", "HEAD")
USUAL_OF_HTTP = 80
"""Browsers leave this port out."""
NOT_ALLOWED = "not allowed: open the address that `jigsolve studio` printed in its terminal"


class Guard:
    """Lets requests through that come from the studio's own page.

    Parameters
    ----------
    app
        What answers them.
    names
        What browsers may call this machine, exactly.
    port
        Where it listens.
    token
        What the first address has.
    cookie
        What the cookie has then.
    """

    def __init__(
        self, app: ASGIApp, names: Sequence[str], port: int, token: str, cookie: str
    ) -> None:
        self._app = app
        self.landing = "/"
        """Where the token's address leads to."""
        hosts = {f"{name}:{port}" for name in names}
        self._hosts = frozenset(hosts.union(names) if port == USUAL_OF_HTTP else hosts)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)
        self._token, self._cookie = token, cookie
        self.cookie_name = f"jigsolve-studio-{port}"  # cookies do not tell ports apart

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, refuse, or set the cookie."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            if self._comes_from_here(scope, must_say=True) and self._has_cookie(scope):
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008})
        elif (refusal := self._refusal(scope)) is not None:
            await refusal(scope, receive, self._with_headers(send))
        else:
            await self._app(scope, receive, self._with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the answer to a request that is not passed on."""
        if not self._comes_from_here(scope, must_say=scope["method"] not in SAFE):
            return _refused(scope)
        if scope["path"] == "/" and scope["method"] == "GET":
            given = parse_qs(scope["query_string"].decode("latin-1")).get("token")
            if given is not None:
                return self._welcome() if _same(given[0], self._token) else _refused(scope)
        return None if self._has_cookie(scope) else _refused(scope)

    def _comes_from_here(self, scope: Scope, *, must_say: bool) -> bool:
        """Whether Host and Origin are ours; a page that changes something must name its origin."""
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or hosts[0] not in self._hosts or len(origins) > 1:
            return False
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        if not origins:
            return not must_say
        return origins[0] in self._origins and origins[0] == f"http://{hosts[0]}"

    def _has_cookie(self, scope: Scope) -> bool:
        # Others on this machine set cookies, too: one that is odd must not hide ours.
        jar = cookie_parser("; ".join(Headers(scope=scope).getlist("cookie")))
        return _same(jar.get(self.cookie_name, ""), self._cookie)

    def _welcome(self) -> Response:
        response = RedirectResponse(self.landing, status_code=303)
        response.set_cookie(
            self.cookie_name, self._cookie, path="/", httponly=True, samesite="strict"
        )
        return response

    @staticmethod
    def _with_headers(send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        return sending


def _same(given: str, expected: str) -> bool:
    return secrets.compare_digest(given.encode(), expected.encode())


def _refused(scope: Scope) -> Response:
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": NOT_ALLOWED}, 403)
    return PlainTextResponse(NOT_ALLOWED + "\n", 403)
