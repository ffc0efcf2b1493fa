import json
from urllib.request import urlopen

from authlib.jose import JsonWebKey, JsonWebToken

from run import run


def verify(token, url, issuer, audience):
    keys = JsonWebKey.import_key_set(json.load(urlopen(url)))
    options = {"iss": {"value": issuer}, "aud": {"value": audience}}
    claims = JsonWebToken(["EdDSA", "ES256"]).decode(token, keys, claims_options=options)
    claims.validate()
    return claims


run(verify)
