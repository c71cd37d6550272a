"""Who is calling: keys and tokens, read when a call is made and shown nowhere.

Not here: where a request goes. Credentials only say which headers and query parameters they add.
"""

from charter.auth.credentials import ApiKey, Auth, Bearer, Credentials
from charter.auth.secret import REDACTED, HiddenHeaders, Secret

__all__ = ["REDACTED", "ApiKey", "Auth", "Bearer", "Credentials", "HiddenHeaders", "Secret"]
