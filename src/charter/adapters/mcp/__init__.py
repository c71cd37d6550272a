"""An MCP server over a session of tools, in both eras of the protocol."""

from charter.adapters._extra import extra

with extra("mcp"):
    from charter.adapters.mcp.http import HttpSettings
    from charter.adapters.mcp.server import CharterServer, ServerOptions, build_server
    from charter.adapters.mcp.serving import serve

__all__ = ["CharterServer", "HttpSettings", "ServerOptions", "build_server", "serve"]
