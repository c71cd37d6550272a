"""The real localstripe server on a free port: a Stripe that keeps state in memory.

The fixture that starts it is in tests/conftest.py. It checks that a key begins with `sk_test_`
and refuses members that it does not know.
"""

import sys

from tests.counterparties.process import ServerProcess

# localstripe writes its store to one fixed file after each change and would read it at start;
# two runs at once would share state, so the write is switched off and nothing is read.
_PROGRAM = """
import asyncio, json, sys, threading
from aiohttp import web
from localstripe import resources, server

resources.Store.dump_to_disk = lambda self: None


async def main():
    runner = web.AppRunner(server.app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = site._server.sockets[0].getsockname()[1]
    print(json.dumps({"url": f"http://127.0.0.1:{port}"}), flush=True)
    await asyncio.to_thread(sys.stdin.read)


asyncio.run(main())
"""


def start_localstripe() -> ServerProcess:
    """Start localstripe; `.ready["url"]` is its origin, without a slash at the end.

    `DELETE <url>/_config/data` empties it. Authenticate with `Authorization: Bearer sk_test_123`.
    """
    return ServerProcess([sys.executable, "-c", _PROGRAM], name="localstripe")
