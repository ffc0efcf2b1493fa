// Passes an access token and one whose claims were changed to a library, and prints which of them it handles.
const {
  JWKS_URL: url,
  ISSUER: issuer,
  AUDIENCE: audience,
  TOKEN: token,
  FORGED: forged,
  ACCOUNT: account,
} = process.env

/** @param verify verifies a token with the keys at `url`, and returns its claims */
export async function run(verify) {
  const works = []
  const failures = []
  const attempt = async (text) => {
    try {
      return await verify(text, { url, issuer, audience })
    } catch (error) {
      failures.push(String(error))
      return undefined
    }
  }
  if ((await attempt(token))?.sub === account) works.push('verifies')
  if ((await attempt(forged)) === undefined) works.push('rejects')
  console.log(failures.join('\n'))
  console.log(`Works: ${JSON.stringify(works)}`)
}

/** Returns the key of a token, as most libraries let their callers do. */
export async function findKey(token) {
  const { kid } = JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString())
  const { keys } = await (await fetch(url)).json()
  const jwk = keys.find((key) => key.kid === kid)
  if (!jwk) throw new Error(`no key ${kid}`)
  return jwk
}
