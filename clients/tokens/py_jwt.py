import jwt

from run import run

ALGORITHMS = ["EdDSA", "ES256"]


def verify(token, url, issuer, audience):
    key = jwt.PyJWKClient(url).get_signing_key_from_jwt(token)  # one client for the application
    return jwt.decode(token, key.key, algorithms=ALGORITHMS, issuer=issuer, audience=audience)


run(verify)
