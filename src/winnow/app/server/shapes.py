"""What requests hold. A field that nobody knows is an error: nothing is accepted and then left aside."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from winnow.errors import ConfigError
from winnow.language.clocks import Clocks
from winnow.types.context import ContextOptions, Part, Preference
from winnow.types.feedback import FeedbackKind
from winnow.types.home import Scalar
from winnow.types.utterance import LanguageCode

MAX_ID_BYTES = 500
"""What a store keeps of an id."""
MAX_NAME_BYTES = 200
"""What every file system keeps of a name."""
MAX_TEXT_CHARS = 20_000
"""Characters of one sentence."""


def _short_id(value: str) -> str:
    if len(value.encode("utf-8", "surrogatepass")) > MAX_ID_BYTES:
        raise ValueError(f"has more than {MAX_ID_BYTES} bytes")
    return value


def _known_zone(value: str) -> str:
    try:
        Clocks(value)
    except ConfigError as error:  # of a request, and not of how the server is configured
        raise ValueError(f"{value[:100]!r} is no time zone; one is Asia/Shanghai") from error
    return value


def _file_name(value: str) -> str:
    if len(value.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES or "\0" in value:
        raise ValueError(f"is no name of a file, or has more than {MAX_NAME_BYTES} bytes")
    return value


Id = Annotated[str, AfterValidator(_short_id)]
Zone = Annotated[str, AfterValidator(_known_zone)]
FileName = Annotated[str, AfterValidator(_file_name)]
Text = Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
Message = dict[str, Any]


def _examples(*found: dict[str, Any]) -> ConfigDict:
    return ConfigDict(json_schema_extra={"examples": list(found)})


class RequestBody(BaseModel):
    """Something that is asked for."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class PersonRequest(RequestBody):
    """For whom it is. The key may say it already; it is then never another."""

    user: Id = Field("", description="Who speaks. A key of one person says it already.", examples=["ida"])


class TalkRequest(PersonRequest):
    """Of which talk, and in which home."""

    model_config = _examples({"user": "ida", "session": "kitchen"})

    home: Id = Field("", description="Needed only where there are several.", examples=["flat"])
    session: Id = Field("", description="Any id of one talk: what was said in it before counts.")


class ModelRequest(PersonRequest):
    """What goes into the messages for a language model."""

    system: str = Field("", description="What the messages begin with.")
    tools: list[Message] = Field(
        [], description="Schemas that are sent beside the messages, counted with them."
    )
    tokens: int | None = Field(None, ge=32, description="Most tokens of messages and tools together.")
    prefer: Preference | None = Field(None, description="What to leave more room: history or knowledge.")

    @property
    def options(self) -> ContextOptions:
        """How the messages are put together."""
        return ContextOptions(tokens=self.tokens, prefer=self.prefer)


class SentenceRequest(TalkRequest, ModelRequest):
    """What was said, and where."""

    model_config = _examples({"text": "turn on the desk lamp", "user": "ida"})

    text: Text = Field(description="What was said.")
    room: str | None = Field(None, description="Name or id of the room the person stands in.")
    language: LanguageCode | None = Field(None, description="Of the reply. Default: that of the words.")
    history: list[Message] = Field(
        [], description="Earlier turns, oldest first, as OpenAI messages. A session remembers them itself."
    )
    detail: bool = Field(False, description="Whether all that was found is wanted at once.")
    full: bool = Field(False, description="Whether the response holds the whole trace.")


class AnswerRequest(ModelRequest):
    """An answer to a question."""

    model_config = _examples({"id": "0f3a...", "choice": "the second one"})

    id: str = Field(description="Of the response that asked.")
    choice: bool | int | str = Field(
        description="The index of an option from 0, true or false for a confirmation, or words."
    )
    full: bool = Field(False, description="Whether the response holds the whole trace.")


class ActRequest(TalkRequest, ModelRequest):
    """What is to be done: a sentence, or the plan that a response named."""

    model_config = _examples({"text": "turn on the desk lamp", "user": "ida"}, {"plan": "k3x9qa"})

    text: str = Field("", max_length=MAX_TEXT_CHARS, description="What was said.")
    plan: str = Field("", max_length=64, description="Of an earlier response of that person and talk.")
    room: str | None = Field(None, description="Name or id of the room the person stands in.")
    language: LanguageCode | None = Field(None, description="Of the reply. Default: that of the words.")
    history: list[Message] = Field([], description="Earlier turns, oldest first, as OpenAI messages.")


class ConfirmRequest(PersonRequest):
    """A person's yes."""

    model_config = _examples({"token": "T0k3n...", "user": "ida"})

    token: str = Field(max_length=64, description="From the response of /v1/act, shown to the person only.")


class ExplainRequest(SentenceRequest):
    """A sentence, or the id of a recent response."""

    text: str = Field("", max_length=MAX_TEXT_CHARS, description="What was said.")
    id: str = Field("", description="Of a recent response of the same worker.")


class MoreRequest(PersonRequest):
    """What a model said that it lacks."""

    model_config = _examples({"id": "0f3a...", "reply": "I do not have any information about the lease."})

    id: str = Field(description="Of a recent response of the same worker.")
    reply: str | Message = Field(
        description="What the model answered, in words or as a message with a call of winnow_more.",
        examples=["I do not have any information about the lease."],
    )


class FeedbackRequest(PersonRequest):
    """What a person says of what they were given."""

    model_config = _examples({"of": "0f3a...", "judged": "useful", "user": "ida"})

    of: str = Field(description="Id of the response.")
    judged: FeedbackKind
    ref: str = Field("", description="What is meant, such as passage:ID. Default: all of it.")
    note: str = Field("", max_length=MAX_TEXT_CHARS, description="Why, in the person's own words.")


class BudgetRequest(RequestBody):
    """Texts to be counted into the shares of a budget."""

    model_config = _examples({"tokens": 4000, "texts": {"system": ["You help."]}})

    tokens: int | None = Field(None, ge=32, description="Default: as configured.")
    shares: dict[Part, Annotated[float, Field(ge=0, le=1)]] | None = Field(
        None, description="Parts of the whole, together at most 1."
    )
    texts: dict[Part, list[str]] = Field({}, description="What is to go into each share, in order.")


class StatesRequest(RequestBody):
    """What devices report now."""

    model_config = _examples({"states": {"study.lamp": {"state": "on"}}})

    states: dict[str, dict[str, Scalar]] = Field(description="Device id -> attribute id -> value.")


class MessagesRequest(PersonRequest):
    """Messages of earlier talks."""

    model_config = _examples(
        {
            "user": "ida",
            "messages": [{"role": "user", "content": "I moved to Porto.", "created_at": "2026-03-01T09:30"}],
        }
    )

    messages: list[Message] = Field(min_length=1, max_length=10_000)
    timezone: Zone = Field("UTC", description="Zone of the person's clock, such as Asia/Shanghai.")


class DocumentsRequest(PersonRequest):
    """Documents of a person, or of everybody."""

    model_config = _examples(
        {"user": "ida", "documents": [{"id": "wifi", "title": "Wifi", "text": "It is ..."}]}
    )

    public: bool = Field(False, description="Whether they are for everybody of the tenant.")
    collection: str = Field("http", max_length=100, description="What they belong to.")
    documents: list[Message] = Field(
        min_length=1, max_length=10_000, description="Each with id, title and text, as JSON lines are added."
    )
    timezone: Zone = Field("UTC", description="Zone of the person's clock.")


class FactRequest(PersonRequest):
    """What holds for a person."""

    model_config = _examples({"user": "ida", "text": "I live in Porto"})

    text: Text
    corrects: str = Field("", description="Id of the fact that it takes the place of.")


class ForgetRequest(PersonRequest):
    """What is to be deleted for good: what is named, or all."""

    model_config = _examples({"user": "ida", "ids": ["f-0123456789ab"]})

    ids: list[str] = Field([], description="Ids of what is to go.")
    all: Literal[True] | None = Field(None, description="All of that person's, instead of ids.")
    public: bool = Field(False, description="Of documents: those of everybody.")
