"""Passes an access token and one whose claims were changed to a library, and prints which of them it handles."""

import json
import os


def run(verify):
    """Calls verify with each token, the URL of the keys, the issuer and the audience. It returns the claims."""
    works, failures = [], []

    def attempt(token):
        try:
            return verify(token, os.environ["JWKS_URL"], os.environ["ISSUER"], os.environ["AUDIENCE"])
        except Exception as error:
            failures.append(repr(error))
            return None

    claims = attempt(os.environ["TOKEN"])
    if claims is not None and claims["sub"] == os.environ["ACCOUNT"]:
        works.append("verifies")
    if attempt(os.environ["FORGED"]) is None:
        works.append("rejects")
    print("\n".join(failures))
    print("Works: " + json.dumps(works))
