"""How schemathesis signs in, and what it must not count as a failure of the panel."""

import os
import random
import urllib.request

import schemathesis

share = float(os.environ["HOSTREEVE_SHARE"])
draw = random.Random(os.environ["HOSTREEVE_SEED"])


@schemathesis.auth(refresh_interval=None)
class Session:
    """A session of the caller. One that a request has ended is replaced when a request is refused with 401."""

    def get(self, case, context):
        with urllib.request.urlopen(os.environ["HOSTREEVE_TOKENS_URL"], timeout=10) as answer:
            return answer.read().decode()

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def filter_case(context, case):
    """All cases of the coverage phase take four minutes: a run tries a share of them, drawn by its seed."""
    is_coverage = case.meta is not None and case.meta.phase.name.value == "coverage"
    return not is_coverage or draw.random() < share


@schemathesis.hook
def before_call(context, case, kwargs):
    """A deletion that is only planned leaves the resource, which a sequence would take for a use after free; streams end."""
    is_stateful = case.meta is not None and case.meta.phase.name.value == "stateful"
    if is_stateful and case.method == "DELETE" and case.query:
        case.query.pop("plan", None)
    # a log that is followed has no end
    if case.path == "/api/websites/{id}/logs/events" and str(case.query.get("follow", "true")).lower() in ("true", "1"):
        case.query["follow"] = "false"


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """A request line over 16 KiB is refused by the HTTP parser, before it belongs to an endpoint of the document."""
    return response.status_code != 431


@schemathesis.check
def only_declared_server_errors(ctx, response, case):
    """A 5xx is one of those that the document lists, and names its cause."""
    if response.status_code < 500:
        return
    assert str(response.status_code) in case.operation.definition.raw["responses"], "this 5xx is not documented"
    error = response.json().get("error", {})
    # areas with flat errors have the message alone
    code, message = (None, error) if isinstance(error, str) else (error.get("code"), error.get("message", ""))
    unnamed = code == "server_error" or "Something went wrong" in message
    assert not unnamed, "the panel failed without naming the cause"
