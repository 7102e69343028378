"""How schemathesis signs in, and what it must not count as a failure of the panel."""

import os
import urllib.request

import schemathesis


@schemathesis.auth(refresh_interval=None)
class Session:
    """A session of the caller. One that a request has ended is replaced when a request is refused with 401."""

    def get(self, case, context):
        with urllib.request.urlopen(os.environ["HOSTREEVE_TOKENS_URL"], timeout=10) as answer:
            return answer.read().decode()

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"
