"""Both APIs on a real socket, with a credential and a log."""

import json
import urllib.request
from urllib.error import HTTPError

import pytest

from charter.cli.demo.server import TOKEN, serve


def fetch(url: str, token: str = TOKEN) -> object:
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def test_both_apis_answer_and_all_is_logged() -> None:
    with serve() as world:
        fetch(f"{world.url}v1/charges?limit=1")
        fetch(f"{world.url}gmail/v1/users/me/profile")
    assert [each.target for each in world.log] == ["/v1/charges?limit=1", "/gmail/v1/users/me/profile"]
    assert {each.status for each in world.log} == {200}


@pytest.mark.parametrize("path", ["v1/charges", "gmail/v1/users/me/profile"])
def test_a_wrong_credential_is_refused(path: str) -> None:
    with serve() as world, pytest.raises(HTTPError, match="401") as caught:
        fetch(f"{world.url}{path}", "wrong")
    caught.value.close()


def test_it_is_closed_when_the_block_ends() -> None:
    with serve() as world:
        pass
    with pytest.raises(OSError, match="refused"):
        fetch(world.url)
