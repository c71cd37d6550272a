"""The figures are those of the lists as they are sent."""

from charter import ToolSession, json_tokens
from charter.adapters.openai import to_openai_tools
from charter.cli.figures import read_figures
from charter.packs import gmail


def test_the_figures_are_counted_on_what_is_sent() -> None:
    figures = read_figures(gmail.TOOLS)
    assert figures.first_turn == json_tokens(to_openai_tools(ToolSession(gmail.TOOLS)))
    assert figures.everything == json_tokens(to_openai_tools(gmail.TOOLS))
    assert figures.first_turn < figures.everything
