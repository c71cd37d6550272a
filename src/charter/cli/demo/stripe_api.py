"""A Stripe-shaped API that keeps state: customers, payment intents, charges and refunds.

Not here: the rest of Stripe. What is unknown gets the 404 that Stripe gives.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from charter.cli.demo.routes import Reply, Request, Routes, read_form
from charter.cli.demo.seed import Objects, seed_stripe

__all__ = ["StripeApi"]

_CLAUSE = re.compile(r"""(-?)([\w.]+)(>=|<=|[:~<>])(?:"([^"]*)"|'([^']*)'|([^\s]+))""")


class StripeApi:
    """One account of a shop."""

    def __init__(self) -> None:
        self.state: dict[str, Objects] = seed_stripe()
        self._routes = Routes()
        for kind in self.state:
            self._routes.add("GET", f"/v1/{kind}", self._lister(kind))
            if kind != "refunds":
                self._routes.add("GET", f"/v1/{kind}/search", self._searcher(kind))
            self._routes.add("GET", f"/v1/{kind}/{{key}}", self._reader(kind))
        self._routes.add("POST", "/v1/refunds", self._refund)
        self._routes.add("POST", "/v1/customers/{key}", self._update_customer)

    @property
    def refunds(self) -> Objects:
        """Every refund, by id."""
        return self.state["refunds"]

    def answer(self, request: Request) -> Reply:
        """Answer a request as Stripe would."""
        unknown = f"Unrecognized request URL ({request.method}: {request.path})."
        return self._routes.answer(request) or _fail(404, unknown)

    def refuse(self) -> Reply:
        """Answer a request without the right key."""
        return _fail(401, "Invalid API Key provided.")

    def _lister(self, kind: str) -> Callable[[Request], Reply]:
        def list_objects(request: Request) -> Reply:
            wanted = {
                key: value
                for key, value in request.query
                if key in ("customer", "email", "charge", "payment_intent")
            }
            fits = [
                each
                for each in self._newest_first(kind)
                if all(each.get(key) == value for key, value in wanted.items())
            ]
            ids = [each["id"] for each in fits]
            after = request.value("starting_after")
            fits = fits[ids.index(after) + 1 :] if after in ids else fits
            return _page(kind, fits, request)

        return list_objects

    def _searcher(self, kind: str) -> Callable[[Request], Reply]:
        def search_objects(request: Request) -> Reply:
            clauses = _CLAUSE.findall(request.value("query"))
            if not clauses:
                return _fail(400, "We were unable to parse your search query.", "query")
            fits = [
                each for each in self._newest_first(kind) if all(_matches(each, clause) for clause in clauses)
            ]
            return _page(kind, fits, request, shape="search_result")

        return search_objects

    def _reader(self, kind: str) -> Callable[..., Reply]:
        def read_object(_request: Request, key: str) -> Reply:
            found = self.state[kind].get(key)
            return Reply(found) if found else _missing(kind.removesuffix("s"), key)

        return read_object

    def _newest_first(self, kind: str) -> list[dict[str, Any]]:
        return sorted(self.state[kind].values(), key=lambda each: -each["created"])

    def _update_customer(self, request: Request, key: str) -> Reply:
        customer = self.state["customers"].get(key)
        if customer is None:
            return _missing("customer", key)
        form = read_form(request.body)
        customer["metadata"] = {**customer["metadata"], **form.pop("metadata", {})}
        customer.update({key: value for key, value in form.items() if key in customer})
        return Reply(customer)

    def _refund(self, request: Request) -> Reply:
        form = read_form(request.body)
        charge = self._find_charge(form)
        if charge is None:
            name = "charge" if "charge" in form else "payment_intent"
            return _missing(name, form.get(name, ""))
        left = charge["amount_captured"] - charge["amount_refunded"]
        if not left:
            return _fail(
                400, f"Charge {charge['id']} has already been refunded.", code="charge_already_refunded"
            )
        amount = form.get("amount", str(left))
        if not amount.isdecimal() or not 0 < int(amount) <= left:
            problem = f"Refund amount ({amount}) is greater than unrefunded amount on charge ({left})."
            return _fail(400, problem, "amount")
        return Reply(self._give_back(charge, int(amount), form))

    def _find_charge(self, form: Mapping[str, Any]) -> dict[str, Any] | None:
        charges = self.state["charges"]
        if "charge" in form:
            return charges.get(form["charge"])
        intent = form.get("payment_intent")
        return next((each for each in charges.values() if intent and each["payment_intent"] == intent), None)

    def _give_back(self, charge: dict[str, Any], amount: int, form: Mapping[str, Any]) -> dict[str, Any]:
        number = len(self.refunds) + 1
        charge["amount_refunded"] += amount
        charge["refunded"] = charge["amount_refunded"] == charge["amount_captured"]
        refund = self.refunds[f"re_3RdemoRefund{number:04}"] = {
            "id": f"re_3RdemoRefund{number:04}",
            "object": "refund",
            "amount": amount,
            "balance_transaction": f"txn_3RdemoRefund{number:04}",
            "charge": charge["id"],
            "created": max(each["created"] for each in self.state["charges"].values()) + 86_400 + number,
            "currency": charge["currency"],
            "destination_details": {
                "card": {"reference_status": "pending", "type": "refund"},
                "type": "card",
            },
            "metadata": form.get("metadata", {}),
            "payment_intent": charge["payment_intent"],
            "reason": form.get("reason"),
            "receipt_number": None,
            "source_transfer_reversal": None,
            "status": "succeeded",
            "transfer_reversal": None,
        }
        return refund


def _page(kind: str, fits: list[dict[str, Any]], request: Request, *, shape: str = "list") -> Reply:
    limit = int(request.value("limit", "10"))
    return Reply({"object": shape, "url": f"/v1/{kind}", "has_more": len(fits) > limit, "data": fits[:limit]})


def _fail(status: int, message: str, param: str | None = None, code: str | None = None) -> Reply:
    error = {"type": "invalid_request_error", "message": message, "param": param, "code": code}
    return Reply({"error": {key: value for key, value in error.items() if value}}, status)


def _missing(param: str, key: str) -> Reply:
    return _fail(404, f"No such {param}: '{key}'", param, "resource_missing")


def _matches(item: Mapping[str, Any], clause: tuple[str, ...]) -> bool:
    negated, name, sign, *quoted = clause
    wanted, value = "".join(quoted), item.get(name)
    if sign in ("<", ">", "<=", ">="):
        fits = isinstance(value, int) and wanted.isdecimal() and _compare(value, sign, int(wanted))
    elif sign == "~":
        fits = wanted.lower() in str(value).lower()
    else:
        fits = str(value).lower() == wanted.lower()
    return fits != bool(negated)


def _compare(value: int, sign: str, wanted: int) -> bool:
    return (value == wanted and "=" in sign) or (value < wanted if sign[0] == "<" else value > wanted)
