"""The address to listen on, taken before anything is started: a busy port is said at once."""

import errno
import socket
from typing import Final, NamedTuple

from chingoo.errors import SettingsError

_BACKLOG: Final = 2048


class Named(NamedTuple):
    """What the address was given by, to be named where it will not do."""

    host: str
    port: str


_BY_SETTINGS: Final = Named("CHINGOO_HOST", "CHINGOO_PORT")


def bind(host: str, port: int, named: Named = _BY_SETTINGS) -> socket.socket:
    """A bound socket, not listening yet. SettingsError says what to change."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError) as error:
        raise SettingsError(f"{named.host}: no address is known for `{host}`; give one of this machine's") from error
    sock = socket.socket(family, kind, protocol)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
    except OSError as error:
        sock.close()
        raise SettingsError(_why(error, host, port, named)) from error
    sock.setblocking(False)
    return sock


def listen(sock: socket.socket, host: str, named: Named = _BY_SETTINGS) -> None:
    """Listen; somebody who bound the same port meanwhile is said as a busy port."""
    try:
        sock.listen(_BACKLOG)
    except OSError as error:
        raise SettingsError(_why(error, host, sock.getsockname()[1], named)) from error


def address_of(sock: socket.socket) -> str:
    """The address as a URL."""
    host, port = sock.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _why(error: OSError, host: str, port: int, named: Named) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"{named.port}: port {port} on {host} is in use; stop what uses it, or choose another port"
        case errno.EACCES | errno.EPERM:
            return f"{named.port}: port {port} may not be used by this user; choose one above 1023"
        case errno.EADDRNOTAVAIL:
            return f"{named.host}: {host} is no address of this machine; 127.0.0.1 and 0.0.0.0 always are"
        case _:
            return f"{named.host}: cannot listen on {host}:{port} ({error.strerror})"
