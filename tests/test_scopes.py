"""The scopes of many tools, once each."""

from charter import Api, scopes_for
from tests.test_settings import ThingsGet

api = Api("my-things", base_url="https://api.example.com/")


def test_each_scope_is_told_once_and_sorted() -> None:
    read = api.get("things/{id}", ThingsGet, scopes=("b.read", "a.read"))
    write = api.post("things/{id}", ThingsGet, name="write", scopes=("b.read", "b.write"))
    free = api.get("free/{id}", ThingsGet, name="free")
    assert scopes_for([read, write, free]) == ("a.read", "b.read", "b.write")
    assert scopes_for([]) == ()
