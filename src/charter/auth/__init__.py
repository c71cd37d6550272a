"""Who is calling: keys and tokens, read when a call is made and shown nowhere.

Not here: where a request goes. Credentials only say which headers and query parameters they add.
"""

from charter.auth.credentials import ApiKey, Auth, Bearer, Credentials
from charter.auth.redaction import Redactor

__all__ = ["ApiKey", "Auth", "Bearer", "Credentials", "Redactor"]
