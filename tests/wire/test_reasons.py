"""What error bodies say went wrong, in the shapes that vendors and frameworks write them in."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charter.wire.reasons import REASON_LIMIT, collect_codes, find_reason, read_reason

GOOGLE_VIOLATIONS = {
    "error": {
        "code": 400,
        "message": "Request contains an invalid argument.",
        "status": "INVALID_ARGUMENT",
        "details": [
            {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [
                    {"field": "event.start", "description": "is required"},
                    {"field": "event.end", "description": "is before start"},
                ],
            },
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "3s"},
        ],
    }
}
GOOGLE_LIMIT = {
    "error": {
        "code": 403,
        "message": "Rate Limit Exceeded",
        "errors": [
            {"domain": "usageLimits", "reason": "rateLimitExceeded", "message": "Rate Limit Exceeded"}
        ],
    }
}
DISCORD = {
    "code": 50035,
    "message": "Invalid Form Body",
    "errors": {"embeds": {"0": {"title": {"_errors": [{"code": "MAX_LENGTH", "message": "Is too long."}]}}}},
}
KUBERNETES = {
    "kind": "Status",
    "status": "Failure",
    "message": "Pod web is invalid",
    "reason": "Invalid",
    "details": {
        "name": "web",
        "kind": "Pod",
        "causes": [{"reason": "FieldValueRequired", "message": "Required value", "field": "spec.containers"}],
    },
    "code": 422,
}
PAYPAL = {
    "name": "INVALID_REQUEST",
    "message": "Request is not well-formed.",
    "debug_id": "b1d1",
    "details": [{"field": "/units/0/amount", "issue": "MISSING_PARAMETER", "description": "It is missing."}],
    "links": [{"href": "https://docs.example", "rel": "information_link"}],
}
XERO = {
    "ErrorNumber": 10,
    "Type": "ValidationException",
    "Message": "A validation exception occurred",
    "Elements": [{"Name": "Ann", "ValidationErrors": [{"Message": "Email is not valid"}]}],
}
JSON_API = {
    "errors": [
        {
            "status": "422",
            "source": {"pointer": "/data/attributes/firstName"},
            "title": "Invalid Attribute",
            "detail": "must have three characters",
        }
    ]
}
GRAPH_DETAILS = {
    "error": {
        "code": "Request_BadRequest",
        "message": "Invalid value.",
        "innerError": {"date": "2026-03-01T12:00:00"},
        "details": [{"code": "InvalidLength", "message": "is too long", "target": "displayName"}],
    }
}

VENDORS: list[tuple[str, Any, str]] = [
    ("FastAPI", {"detail": [{"loc": ["body", "due"], "msg": "field required"}]}, "due: field required"),
    ("FastAPI, deep", {"detail": [{"loc": ["body", "a", 0, "b"], "msg": "no"}]}, "a.0.b: no"),
    ("FastAPI, a query", {"detail": [{"loc": ["query", "limit"], "msg": "no"}]}, "limit: no"),
    ("FastAPI, whole", {"detail": [{"loc": ["body"], "msg": "field required"}]}, "body: field required"),
    ("Rails", {"errors": {"name": ["is taken", "is short"]}}, "name: is taken; name: is short"),
    ("Rails, a sentence", {"errors": "Not Found"}, "Not Found"),
    ("Rails, whole", {"errors": {"base": ["Too many"]}}, "Too many"),
    ("Django REST", {"email": ["invalid"], "non_field_errors": ["No match"]}, "email: invalid; No match"),
    ("Django REST, a list", {"items": [{}, {"qty": ["is required"]}]}, "items.1.qty: is required"),
    ("Django REST, detail", {"detail": "Not found."}, "Not found."),
    (
        "Laravel",
        {"message": "The name field is required.", "errors": {"name": ["The name field is required."]}},
        "The name field is required.",
    ),
    (
        "ASP.NET",
        {"title": "Validation errors occurred.", "status": 400, "errors": {"Name": ["The name is missing."]}},
        "Validation errors occurred. Name: The name is missing.",
    ),
    (
        "Spring",
        {"timestamp": 1, "status": 404, "error": "Not Found", "message": "", "path": "/v1/x"},
        "Not Found",
    ),
    (
        "Spring, a message",
        {"status": 404, "error": "Not Found", "message": "No room 4", "path": "/v1/x"},
        "No room 4",
    ),
    (
        "Jira",
        {"errorMessages": ["No such issue"], "errors": {"summary": "is required"}},
        "summary: is required; No such issue",
    ),
    (
        "Zod",
        {"error": {"issues": [{"path": ["a"], "message": "Required"}], "name": "ZodError"}},
        "a: Required",
    ),
    ("Zod, flat", {"error": {"formErrors": ["No"], "fieldErrors": {"a": ["Required"]}}}, "a: Required; No"),
    (
        "Express validator",
        {"errors": [{"type": "field", "msg": "Invalid", "path": "email", "location": "body"}]},
        "email: Invalid",
    ),
    ("AWS", {"__type": "x#ValidationException", "Message": "No such table"}, "No such table"),
    ("S3", {"Error": {"Code": "NoSuchKey", "Message": "The key is not there"}}, "The key is not there"),
    ("msg", {"code": 7, "msg": "No such order"}, "No such order"),
    ("Telegram", {"ok": False, "error_code": 400, "description": "Bad Request"}, "Bad Request"),
    ("Apigee", {"fault": {"faultstring": "Invalid ApiKey"}}, "Invalid ApiKey"),
    ("SOAP 1.2", {"Fault": {"Code": {"Value": "Sender"}, "Reason": {"Text": "No."}}}, "No."),
    (
        "GitHub",
        {
            "message": "Validation Failed",
            "errors": [{"resource": "Issue", "field": "title", "code": "missing_field"}],
            "documentation_url": "https://docs.example",
        },
        "Validation Failed; title: missing_field",
    ),
    ("code alone", {"errors": [{"field": "x", "code": "invalid"}]}, "x: invalid"),
    ("GitLab", {"message": {"title": ["is too long"]}}, "title: is too long"),
    (
        "RFC 9457",
        {"title": "Not valid.", "invalid-params": [{"name": "age", "reason": "must be positive"}]},
        "Not valid. age: must be positive",
    ),
    (
        "RFC 9457, errors",
        {
            "title": "Not valid.",
            "detail": "Two are wrong.",
            "errors": [{"detail": "must be green", "pointer": "#/car/color"}],
        },
        "Two are wrong. car.color: must be green",
    ),
    ("JSON:API", JSON_API, "data.attributes.firstName: must have three characters"),
    (
        "Google",
        GOOGLE_VIOLATIONS,
        "Request contains an invalid argument. event.start: is required; event.end: is before start",
    ),
    ("Google, once", GOOGLE_LIMIT, "Rate Limit Exceeded"),
    (
        "Stripe",
        {"error": {"type": "invalid_request_error", "message": "Must be a number.", "param": "amount"}},
        "amount: Must be a number.",
    ),
    (
        "Slack",
        {"ok": False, "error": "invalid_arguments", "response_metadata": {"messages": ["no channel"]}},
        "invalid_arguments; no channel",
    ),
    (
        "Salesforce",
        [{"message": "Is missing", "errorCode": "REQUIRED", "fields": ["Name"]}],
        "Name: Is missing",
    ),
    (
        "Zendesk",
        {
            "error": "RecordInvalid",
            "description": "Not valid",
            "details": {"subject": [{"description": "is blank", "error": "Blank"}]},
        },
        "Not valid; subject: is blank",
    ),
    ("Discord", DISCORD, "Invalid Form Body; embeds.0.title: Is too long."),
    (
        "QuickBooks",
        {"Fault": {"Error": [{"Message": "Missing", "Detail": "No line given", "element": "Line"}]}},
        "Line: Missing; Line: No line given",
    ),
    (
        "PostgREST",
        {"code": "23505", "message": "duplicate key", "details": "Key (id)=(1) exists.", "hint": None},
        "duplicate key; Key (id)=(1) exists.",
    ),
    ("Airtable", {"error": {"type": "AUTHENTICATION_REQUIRED"}}, "AUTHENTICATION_REQUIRED"),
    ("Airtable, a code", {"error": "NOT_FOUND"}, "NOT_FOUND"),
    ("OAuth", {"error": "invalid_grant", "error_description": "Expired."}, "Expired."),
    ("Dropbox", {"error_summary": "path/not_found/", "error": {".tag": "path"}}, "path/not_found/"),
    (
        "Okta",
        {"errorCode": "E1", "errorSummary": "Not valid", "errorCauses": [{"errorSummary": "login: taken"}]},
        "Not valid; login: taken",
    ),
    ("PayPal", PAYPAL, "Request is not well-formed. units.0.amount: It is missing."),
    ("Kubernetes", KUBERNETES, "Pod web is invalid; spec.containers: Required value"),
    ("Xero", XERO, "A validation exception occurred; Email is not valid"),
    ("Graph", GRAPH_DETAILS, "Invalid value. displayName: is too long"),
    (
        "Elastic",
        {"error": {"root_cause": [{"type": "t", "reason": "no such index"}], "reason": "no such index"}},
        "no such index",
    ),
    ("Cloudflare", {"success": False, "errors": [{"code": 1003, "message": "No zone"}]}, "No zone"),
    (
        "Square",
        {"errors": [{"code": "MISSING", "detail": "Is missing.", "field": "sum"}]},
        "sum: Is missing.",
    ),
    (
        "Shopify",
        {"userErrors": [{"field": ["input", "title"], "message": "is blank"}]},
        "input.title: is blank",
    ),
    ("true beside a message", {"error": True, "message": "No."}, "No."),
    ("a field named message", {"errors": {"message": ["is blank"]}}, "message: is blank"),
    ("a field named title", {"errors": {"title": "is blank"}}, "title: is blank"),
    ("texts among others", {"errors": ["a", {"detail": "b"}, 3, None]}, "a; b"),
    ("an empty message", {"message": "", "error": "x"}, "x"),
    ("a page", "<html><head><title>502 Bad\n Gateway</title>", "502 Bad Gateway"),
    ("a page without a title", "<!doctype html><p>Oops", ""),
    ("XML", "<?xml version='1.0'?><Error><Code>A</Code><Message>No key</Message></Error>", "No key"),
    ("SOAP 1.1", "<s:Envelope><s:Fault><faultstring>No.</faultstring></s:Fault></s:Envelope>", "No."),
    ("a text", " Too many\n  requests ", "Too many requests"),
    ("nothing that says why", {"weird": {"nested": 1}}, '{"weird":{"nested":1}}'),
    ("a message of numbers", {"message": {"a": 1}}, '{"message":{"a":1}}'),
    ("a number", 3, "3"),
    ("an empty object", {}, ""),
    ("an empty list", [], ""),
    ("nothing", None, ""),
]


@pytest.mark.parametrize(("body", "reason"), [row[1:] for row in VENDORS], ids=[row[0] for row in VENDORS])
def test_the_reason_is_told_with_each_fields_own(body: Any, reason: str) -> None:
    assert read_reason(body) == reason


def test_many_problems_are_told_as_a_few_and_a_count() -> None:
    told = read_reason({"message": "No.", "errors": [{"field": f"f{at}", "msg": "bad"} for at in range(40)]})
    assert told.startswith("No. f0: bad; f1: bad;")
    assert told.endswith("f8: bad; and 31 more")


@pytest.mark.parametrize(
    "body",
    [
        {"message": "x" * 1_000_000},
        {"errors": [{"field": "y" * 5_000, "message": "x" * 5_000}] * 20},
        {"x" * 5_000: ["y" * 5_000]},
        {"data": ["x" * 100] * 10_000},
        "x" * 1_000_000,
        [{"no": at} for at in range(100_000)],
    ],
    ids=["text", "parts", "fields", "unknown", "plain", "items"],
)
def test_a_reason_is_short_however_long_the_body(body: Any) -> None:
    assert 0 < len(read_reason(body)) <= REASON_LIMIT


class Counted(list[Any]):
    """A list that counts how many of its items were looked at."""

    looked = 0

    def __iter__(self) -> Any:
        for item in super().__iter__():
            self.looked += 1
            yield item


def test_only_the_start_of_a_large_error_is_looked_at() -> None:
    items = Counted([{"a": [at]} for at in range(100_000)])
    find_reason({"errors": items})
    collect_codes({"errors": items})
    assert items.looked < 10_000


def test_a_reason_is_looked_for_only_where_names_say_so() -> None:
    assert find_reason({"success": False, "labels": ["urgent"], "issue": {"message": "x"}}) == ""


def test_codes_are_found_wherever_they_stand() -> None:
    assert {"rateLimitExceeded", "usageLimits", "403"} <= collect_codes(GOOGLE_LIMIT)
    assert collect_codes([None, 1.5, {}]) == set()


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["message", "error", "errors", "detail", "loc", "path", "field", "code", "x", ""]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(anything)
def test_any_body_has_a_reason_that_is_short(body: Any) -> None:
    assert len(read_reason(body)) <= REASON_LIMIT
    assert len(find_reason(body)) <= REASON_LIMIT
    assert all(isinstance(code, str) for code in collect_codes(body))
