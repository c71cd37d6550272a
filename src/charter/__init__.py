"""Charter: many typed API tools for a language model at the cost of one."""

from charter.api import Api
from charter.auth import ApiKey, Bearer
from charter.discovery.session import ToolSession
from charter.errors import (
    APIError,
    CharterError,
    CredentialError,
    DeclarationError,
    ToolValidationError,
    TransformError,
    TransportError,
)
from charter.markers import (
    AllOrNone,
    AtLeastOneOf,
    AtMostOneOf,
    Body,
    Case,
    ConflictsWith,
    ExactlyOneOf,
    Format,
    Gloss,
    Header,
    Mode,
    Path,
    Query,
    Requires,
    WireName,
)
from charter.record import CallRecord
from charter.schema.cost import json_tokens, schema_tokens
from charter.tool import Tool
from charter.transport import aclose
from charter.wire.envelope import Envelope
from charter.wire.mail import Attachment, EmailContent
from charter.wire.pages import Pages
from charter.wire.trim import keep, pass_through

__all__ = [
    "APIError",
    "AllOrNone",
    "Api",
    "ApiKey",
    "AtLeastOneOf",
    "AtMostOneOf",
    "Attachment",
    "Bearer",
    "Body",
    "CallRecord",
    "Case",
    "CharterError",
    "ConflictsWith",
    "CredentialError",
    "DeclarationError",
    "EmailContent",
    "Envelope",
    "ExactlyOneOf",
    "Format",
    "Gloss",
    "Header",
    "Mode",
    "Pages",
    "Path",
    "Query",
    "Requires",
    "Tool",
    "ToolSession",
    "ToolValidationError",
    "TransformError",
    "TransportError",
    "WireName",
    "aclose",
    "json_tokens",
    "keep",
    "pass_through",
    "schema_tokens",
]
