"""Charter: many typed API tools for a language model at the cost of one.

Names are imported when they are first used, so that `import charter` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from charter.api import Api
    from charter.auth import ApiKey, Bearer
    from charter.clients import aclose
    from charter.discovery.session import ToolSession
    from charter.egress import conflict_map, egress_map
    from charter.errors import (
        APIError,
        CharterError,
        CredentialError,
        DeclarationError,
        DeclarationWarning,
        ModelError,
        ToolValidationError,
        TransformError,
        TransportError,
    )
    from charter.failures import Failures
    from charter.markers import (
        AllOrNone,
        AtLeastOneOf,
        AtMostOneOf,
        Body,
        Case,
        Clearable,
        ConflictsWith,
        ExactlyOneOf,
        Format,
        Gloss,
        Header,
        Mode,
        NotOnly,
        Path,
        Query,
        Requires,
        Unsent,
        WireName,
    )
    from charter.pack import Pack
    from charter.reading import Found, Reader, ReadsFirst
    from charter.record import CallRecord
    from charter.schema.cost import json_tokens, schema_tokens
    from charter.scopes import scopes_for
    from charter.secret import Secret
    from charter.tool import Tool
    from charter.wire.envelope import Envelope
    from charter.wire.mail import Attachment, EmailContent
    from charter.wire.pages import Pages
    from charter.wire.trim import keep, pass_through

__version__ = "0.1.0"

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
    "Clearable",
    "ConflictsWith",
    "CredentialError",
    "DeclarationError",
    "DeclarationWarning",
    "EmailContent",
    "Envelope",
    "ExactlyOneOf",
    "Failures",
    "Format",
    "Found",
    "Gloss",
    "Header",
    "Mode",
    "ModelError",
    "NotOnly",
    "Pack",
    "Pages",
    "Path",
    "Query",
    "Reader",
    "ReadsFirst",
    "Requires",
    "Secret",
    "Tool",
    "ToolSession",
    "ToolValidationError",
    "TransformError",
    "TransportError",
    "Unsent",
    "WireName",
    "aclose",
    "conflict_map",
    "egress_map",
    "json_tokens",
    "keep",
    "pass_through",
    "schema_tokens",
    "scopes_for",
]

_MODULES = {
    "APIError": "charter.errors",
    "AllOrNone": "charter.markers",
    "Api": "charter.api",
    "ApiKey": "charter.auth",
    "AtLeastOneOf": "charter.markers",
    "AtMostOneOf": "charter.markers",
    "Attachment": "charter.wire.mail",
    "Bearer": "charter.auth",
    "Body": "charter.markers",
    "CallRecord": "charter.record",
    "Case": "charter.markers",
    "CharterError": "charter.errors",
    "Clearable": "charter.markers",
    "ConflictsWith": "charter.markers",
    "CredentialError": "charter.errors",
    "DeclarationError": "charter.errors",
    "DeclarationWarning": "charter.errors",
    "EmailContent": "charter.wire.mail",
    "Envelope": "charter.wire.envelope",
    "ExactlyOneOf": "charter.markers",
    "Failures": "charter.failures",
    "Format": "charter.markers",
    "Found": "charter.reading",
    "Gloss": "charter.markers",
    "Header": "charter.markers",
    "Mode": "charter.markers",
    "ModelError": "charter.errors",
    "NotOnly": "charter.markers",
    "Pack": "charter.pack",
    "Pages": "charter.wire.pages",
    "Path": "charter.markers",
    "Query": "charter.markers",
    "Reader": "charter.reading",
    "ReadsFirst": "charter.reading",
    "Requires": "charter.markers",
    "Secret": "charter.secret",
    "Tool": "charter.tool",
    "ToolSession": "charter.discovery.session",
    "ToolValidationError": "charter.errors",
    "TransformError": "charter.errors",
    "TransportError": "charter.errors",
    "Unsent": "charter.markers",
    "WireName": "charter.markers",
    "aclose": "charter.clients",
    "conflict_map": "charter.egress",
    "egress_map": "charter.egress",
    "json_tokens": "charter.schema.cost",
    "keep": "charter.wire.trim",
    "pass_through": "charter.wire.trim",
    "schema_tokens": "charter.schema.cost",
    "scopes_for": "charter.scopes",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'charter' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
