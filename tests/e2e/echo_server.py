"""A server over stdio, or with an argument over HTTP, whose one resident tool prints and returns its arguments."""

import os
import subprocess
import sys
from typing import Any

from charter import ToolSession
from charter.adapters.mcp import HttpSettings, serve
from charter.adapters.mcp.redis_store import RedisStore
from charter.packs.stripe import TOOLS


class Echo:
    """Prints, as a careless tool would, also past Python, and returns its arguments."""

    pack, name, description = "plain", "echo", "Return the arguments."

    def to_json_schema(self) -> dict[str, Any]:
        return {"name": "echo", "description": self.description, "parameters": {"type": "object"}}

    async def ainvoke(self, arguments: Any = None, *, client: Any = None) -> Any:
        if arguments.get("noisy"):
            print("this is no protocol")
            sys.stdout.flush()
            os.write(1, b"nor is this\n")
            subprocess.run(["echo", "nor this"], check=True)
        return arguments


if __name__ == "__main__":
    session = ToolSession([Echo(), *TOOLS], resident={"plain__echo"})
    if sys.argv[1:] == []:
        serve(session)
    else:
        shared = RedisStore(sys.argv[1]) if sys.argv[1] != "memory" else None
        serve(session, http=HttpSettings(port=0), store=shared)
