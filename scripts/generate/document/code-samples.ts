import { listRoutes, parametersOf, takesToken, type Document, type Media, type Route } from './openapi.ts'
import {
  curlSample,
  kotlinSample,
  literal,
  pythonSample,
  reactSample,
  sdkSample,
  TYPESCRIPT,
  type SampleRequest,
} from './sample-languages.ts'

/**
 * The functions of the SDK, by operation. `$` is the first example of the request, `{user_id}` that of a parameter, and `?` the
 * query of the sample.
 */
const SDK_CALLS: Readonly<Record<string, string>> = {
  register: `const { account } = await tawthiq.auth.register($)`,
  login: `await tawthiq.auth.login($)`,
  requestPasswordReset: `await tawthiq.auth.forgotPassword($)`,
  resetPassword: `await tawthiq.auth.resetPassword($)`,
  undoChanges: `await tawthiq.auth.undo($)`,
  releaseEmail: `await tawthiq.auth.releaseEmail($)`,
  checkToken: `await tawthiq.auth.check()`,
  requestEmailVerification: `await tawthiq.auth.verifyEmail($)`,
  confirmEmail: `await tawthiq.auth.confirmEmail($)`,
  cancelEmailChange: `await tawthiq.auth.cancelEmailChange($)`,
  checkPhone: `await tawthiq.auth.checkPhone($)`,
  confirmPhone: `await tawthiq.auth.confirmPhone($)`,
  refreshToken: `// The SDK refreshes an expired access token by itself, once for all calls and tabs.
const { user } = await tawthiq.profile.get()`,
  reauthenticate: `await tawthiq.auth.reauthenticate($)`,
  logout: `await tawthiq.auth.logout()`,
  listSessions: `const { items } = await tawthiq.sessions.list()`,
  revokeOtherSessions: `await tawthiq.sessions.revokeOthers()`,
  revokeSession: `await tawthiq.sessions.revoke('{session_id}')`,
  getFactors: `const { passkeys, totp_added_at } = await factors.get()`,
  requestFactorReset: `await factors.requestReset($)`,
  confirmFactorReset: `await factors.confirmReset($)`,
  cancelFactorReset: `await factors.cancelReset($)`,
  beginTotp: `const { uri, secret } = await factors.beginTotp($)`,
  confirmTotp: `const { recovery_codes } = await factors.confirmTotp($)`,
  removeTotp: `await factors.removeTotp($)`,
  renewRecoveryCodes: `const { recovery_codes } = await factors.renewRecoveryCodes($)`,
  beginPasskeyLogin: `await passkeys.login()`,
  loginWithPasskey: `await passkeys.login()`,
  beginPasskeyReauthentication: `await passkeys.reauthenticate()`,
  reauthenticateWithPasskey: `await passkeys.reauthenticate()`,
  beginPasskey: `await passkeys.add('My laptop', $)`,
  addPasskey: `await passkeys.add('My laptop', { password: 'Tawthiq-demo-1' })`,
  renamePasskey: `await passkeys.rename('{passkey_id}', 'My laptop')`,
  removePasskey: `await passkeys.remove('{passkey_id}', $)`,
  getProfile: `const { user } = await tawthiq.profile.get()`,
  updateProfile: `const { user } = await tawthiq.profile.get()
await tawthiq.profile.update({ ...toForm(user), profile_photo: photo }) // a File or Blob`,
  patchProfile: `const { user } = await tawthiq.profile.patch($)`,
  getProfileForm: `const form = await tawthiq.operation('getProfileForm', undefined, { query: { account_type: 'client' } })`,
  changePassword: `await tawthiq.profile.changePassword($)`,
  getFile: `const { blob } = await tawthiq.files.get(link) // such as the profile_photo of a profile`,
  deleteProfileFile: `await tawthiq.files.delete('{kind}')`,
  listLookups: `const { degrees, languages } = await tawthiq.lookups.all()`,
  requestAccountDeletion: `const { deletion_due_at } = await tawthiq.account.requestDeletion($)`,
  cancelAccountDeletion: `await tawthiq.account.cancelDeletion()`,
  exportAccount: `const { blob, name } = await tawthiq.account.export()`,
  listRateLimits: `const { items } = await tawthiq.operation('listRateLimits', undefined)`,
  checkAdmin: `await tawthiq.auth.checkAdmin()`,
  adminListUsers: `const { items, next_cursor } = await admin.users.list(?)`,
  adminGetUser: `const { user } = await admin.users.get({user_id})`,
  adminSuspendUser: `await admin.users.suspend({user_id}, $)`,
  adminRestoreUser: `await admin.users.restore({user_id}, $)`,
  adminResetFactors: `await admin.users.resetFactors({user_id}, $)`,
  adminReviewLawyer: `await admin.users.review({user_id}, $)`,
  adminListAudit: `const { items, next_cursor } = await admin.audit(?)`,
  adminListEvents: `const { items, next_cursor } = await admin.events.list(?)`,
  adminReplayEvents: `await admin.events.replay($)`,
}
/** The operations that SMS providers call */
const OF_PROVIDERS = new Set(['receiveSmsReceipt', 'receiveKeyPress'])
/** Queries of the samples that are not required */
const QUERIES: Readonly<Record<string, object>> = {
  listRegions: { country_id: 682 },
  listCities: { region_id: 1 },
  listAccurateSpecialties: { general_specialty_id: 1 },
  adminListUsers: { review_status: 'pending' },
  adminListAudit: { account_id: 1 },
  adminListEvents: { state: 'failed' },
}
/** The operations whose samples the document has. The pages of the reference have those of all operations. */
const PUBLISHED = new Set(
  (
    'register login checkPhone confirmPhone refreshToken requestPasswordReset getProfile updateProfile getProfileForm ' +
    'listLookups listCities listSessions exportAccount changePassword logout'
  ).split(' '),
)

export type Sample = { lang: string; label: string; source: string }

/** Adds samples for the SDK, curl and Kotlin to the operations that people call most. */
export function addCodeSamples(document: Document): void {
  for (const route of listRoutes(document)) {
    if (!PUBLISHED.has(route.operation.operationId)) continue
    const samples = codeSamples(document, route)
    route.operation['x-codeSamples'] = samples.filter(({ label }) => label !== 'React' && label !== 'Python')
  }
}

/** Returns samples of an operation with its first example. The operations of SMS providers have none for the SDK. */
export function codeSamples(document: Document, route: Route): Sample[] {
  const request = toRequest(document, route)
  const call = sdkCall(request)
  return [
    ...(call === undefined ? [] : [{ lang: 'TypeScript', label: 'SDK', source: sdkSample(call) }]),
    { lang: 'Shell', label: 'curl', source: curlSample(request) },
    ...(call === undefined ? [] : [{ lang: 'TypeScript', label: 'React', source: reactSample(call, request) }]),
    { lang: 'Python', label: 'Python', source: pythonSample(request) },
    { lang: 'Kotlin', label: 'Kotlin', source: kotlinSample(request) },
  ]
}

function toRequest(document: Document, { path, method, operation }: Route): SampleRequest {
  const { operationId: id, requestBody } = operation
  const [media, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const [example] = Object.values((content as Media | undefined)?.examples ?? {})
  const fields = Object.entries(example?.value ?? {})
  const isSecured = takesToken(document, operation)
  const given = parametersOf(document, operation)
  const parameters = Object.fromEntries(given.map(({ name, example }) => [name, String(example)]))
  const required = given.filter(({ place, isRequired }) => place === 'query' && isRequired)
  const query = QUERIES[id] ?? Object.fromEntries(required.map(({ name }) => [name, parameters[name] ?? '']))
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  const address = [fill(path, parameters), pairs.join('&')].filter(Boolean).join('?')
  return { id, method: method.toUpperCase(), path: address, isSecured, media, fields, parameters }
}

function fill(text: string, parameters: SampleRequest['parameters']): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => parameters[name] ?? placeholder)
}

/** Returns the call of the SDK. Lookups have functions of their names, and others that are not listed are called by their id. */
function sdkCall(request: SampleRequest): string | undefined {
  const { id, fields, parameters } = request
  if (OF_PROVIDERS.has(id)) return undefined
  const query = QUERIES[id] ? literal(QUERIES[id], '', TYPESCRIPT) : ''
  return fill(SDK_CALLS[id] ?? callByName(request), parameters)
    .replace('(?)', `(${query})`)
    .replace('$', () => literal(Object.fromEntries(fields), '', TYPESCRIPT))
}

function callByName({ id, path, media }: SampleRequest): string {
  if (!path.startsWith('/api/v1/lookups/'))
    return `await tawthiq.operation('${id}', ${media === undefined ? 'undefined' : '$'})`
  const name = id.replace(/^list/, '')
  return `const { items } = await tawthiq.lookups.${name.charAt(0).toLowerCase()}${name.slice(1)}(?)`
}
