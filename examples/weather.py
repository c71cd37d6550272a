"""A model that answers a question about the weather: one tool of an API that needs no key."""

import asyncio

from pydantic import BaseModel, Field

from charter import Api, ToolSession
from charter.adapters.openai import run

weather = Api("weather", base_url="https://api.open-meteo.com/v1/")


class Forecast(BaseModel):
    """Say what the weather is at a place now."""

    latitude: float
    longitude: float
    current: str = Field(description="Of temperature_2m, rain, wind_speed_10m; several by comma.")


TOOLS = [weather.get("forecast", Forecast, hints="temperature cold wind umbrella coat")]

if __name__ == "__main__":
    from openai import AsyncOpenAI

    question = {"role": "user", "content": "Do I need a coat in Oslo now?"}
    answer = run(AsyncOpenAI(), model="gpt-5-mini", messages=[question], session=ToolSession(TOOLS))
    print(asyncio.run(answer).content)
