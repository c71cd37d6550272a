"""Connected accounts: the sellers a platform pays out to.

Not here: opening or changing them.
"""

from pydantic import BaseModel, Field

from charter.packs.stripe.answers import keep_object, keep_page
from charter.packs.stripe.api import api
from charter.packs.stripe.fields import EXPAND
from charter.packs.stripe.paging import PAGES, During, Page

__all__ = ["accounts_list", "accounts_retrieve"]

_KEPT = (
    "id",
    "type",
    "email",
    "country",
    "default_currency",
    "created",
    "business_type",
    "business_profile.name",
    "business_profile.url",
    "charges_enabled",
    "payouts_enabled",
    "details_submitted",
    "requirements.disabled_reason",
    "requirements.current_deadline",
    "requirements.currently_due",
    "requirements.past_due",
    "metadata",
    "deleted",
)
_KEPT_ALONE = (
    *_KEPT,
    "business_profile.mcc",
    "business_profile.support_email",
    "business_profile.support_phone",
    "capabilities",
    "company.name",
    "controller",
    "external_accounts.has_more",
    "external_accounts.data.id",
    "external_accounts.data.object",
    "external_accounts.data.bank_name",
    "external_accounts.data.brand",
    "external_accounts.data.currency",
    "external_accounts.data.last4",
    "external_accounts.data.status",
    "external_accounts.data.default_for_currency",
    "future_requirements.currently_due",
    "future_requirements.current_deadline",
    "individual.first_name",
    "individual.last_name",
    "requirements.errors",
    "requirements.eventually_due",
    "requirements.pending_verification",
    "settings.payouts",
)


class AccountsList(Page):
    """List connected accounts, newest first."""

    created: During | None = None


class AccountsRetrieve(BaseModel):
    """Read one account: what it may do and what it still must provide."""

    account: str
    expand: list[str] | None = Field(None, description=EXPAND)


accounts_list = api.get(
    "v1/accounts",
    AccountsList,
    hints="connect sellers merchants vendors platform sub-accounts",
    response_handler=keep_page(*_KEPT),
    pagination=PAGES,
)
accounts_retrieve = api.get(
    "v1/accounts/{account}",
    AccountsRetrieve,
    hints="get connect seller merchant onboarding verification requirements payouts enabled",
    response_handler=keep_object(*_KEPT_ALONE),
    needs={"account": "accounts_list"},
)
