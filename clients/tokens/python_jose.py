import json
from urllib.request import urlopen

from jose import jwt

from run import run


def verify(token, url, issuer, audience):
    keys = json.load(urlopen(url))
    return jwt.decode(token, keys, algorithms=["EdDSA", "ES256"], issuer=issuer, audience=audience)


run(verify)
