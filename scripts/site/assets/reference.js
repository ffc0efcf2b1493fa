// Shows the document in the reference, and sends the token of the last login with later requests.
/* global Scalar */
const TOKEN_PATHS = /\/api\/v1\/(auth\/(login|register|refresh|reauthenticate)|profile\/password)$/

showReference()

async function showReference() {
  const content = await (await fetch(document.getElementById('openapi').href)).json()
  openOperation(content)
  addEventListener('hashchange', () => openOperation(content))

  const configuration = {
    content,
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'none',
    persistAuth: false,
    orderSchemaPropertiesBy: 'preserve',
    authentication: { preferredSecurityScheme: 'bearerAuth' },
    onLoaded: () => document.getElementById('outline')?.remove(),
    onResponseReceived: async ({ response }) => {
      const token = await tokenIn(response)
      if (token === undefined) return
      const securitySchemes = { bearerAuth: { token } }
      reference.updateConfiguration({
        ...configuration,
        authentication: { ...configuration.authentication, securitySchemes },
      })
    },
  }
  const reference = Scalar.createApiReference('#reference', configuration)
}

/** Returns the access token of a response that contains a new one. */
async function tokenIn(response) {
  if (!response.ok || !TOKEN_PATHS.test(new URL(response.url).pathname)) return undefined
  const { data } = await response.clone().json()
  return data?.account?.token
}

/** Replaces `#operation/<operationId>`, the stable link that guides use, by the link of this version of the reference. */
function openOperation({ paths }) {
  const [, wanted] = /^#operation\/(\w+)$/.exec(location.hash) ?? []
  if (wanted === undefined) return
  for (const [path, item] of Object.entries(paths))
    for (const [method, { operationId, tags }] of Object.entries(item))
      if (operationId === wanted)
        location.replace(`#tag/${tags[0].toLowerCase().replaceAll(' ', '-')}/${method.toUpperCase()}${path}`)
}
