"""The real emulate servers: Google (Gmail, Calendar, Drive), Stripe, GitHub, Slack and Linear with state.

What they hold at the start is emulate_seed.json. They do not refuse unknown members, so they
prove what a call does, not that it is well formed.
"""

import json
from pathlib import Path
from typing import Any

from tests.counterparties.node import find_node, install
from tests.counterparties.process import ServerProcess

SERVICES = ("google", "stripe", "github", "slack", "linear")
SEED_FILE = Path(__file__).with_name("emulate_seed.json")
_SCRIPT = Path(__file__).with_suffix(".mjs")


class Emulate:
    """Running emulators, one for each service.

    emulate.url("google")    # "http://127.0.0.1:40123": its origin
    emulate.token("google")  # a bearer token of the seeded user
    emulate.reset("google")  # back to the seed
    emulate.seed["google"]["messages"][0]
    """

    def __init__(self, process: ServerProcess) -> None:
        self._process = process
        self._urls: dict[str, str] = process.ready["urls"]
        self.seed: dict[str, Any] = json.loads(SEED_FILE.read_text())

    def url(self, service: str) -> str:
        """Return the origin of a service, without a slash at the end."""
        return self._urls[service]

    def token(self, service: str) -> str:
        """Return a bearer token that the service accepts."""
        return {"slack": "xoxb-local-test", "linear": "lin_test_admin", "stripe": "sk_test_emulate"}.get(
            service, f"{service}_test_token"
        )

    def reset(self, service: str) -> None:
        """Put the seed back."""
        self._process.ask(f"reset {service}")

    def reset_all(self) -> None:
        """Put the seed of every service back."""
        for service in self._urls:
            self.reset(service)

    def close(self) -> None:
        """End the servers."""
        self._process.close()


def start_emulate() -> Emulate:
    """Install emulate if need be and start every service of SERVICES.

    Raises:
        NotInstallable: its package cannot be had.
    """
    modules = install()
    command = [str(find_node()), str(_SCRIPT), str(modules), str(SEED_FILE), *SERVICES]
    return Emulate(ServerProcess(command, name="emulate"))
