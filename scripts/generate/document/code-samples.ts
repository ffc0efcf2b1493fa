import { listRoutes, takesToken, type Document, type Media, type Route } from './openapi.ts'

export const SAMPLE_ORIGIN = 'http://localhost:3000'

/** The calls of the SDK, by operation. The reference shows samples for these operations. */
const SDK_CALLS: Readonly<Record<string, string>> = {
  register: `const { account } = await tawthiq.auth.register({
  account_type: 'client',
  name: 'نوف الشهري',
  email: 'nouf@example.org',
  password: 'olive-harbour-58-lantern',
  phone_code: '966',
  phone: '0512345678',
  otp: '493027',
})`,
  login: `await tawthiq.auth.login({ email: 'client@demo.test', password: 'Tawthiq-demo-1' })`,
  checkPhone: `await tawthiq.auth.checkPhone({ phone_code: '966', phone: '0512345678' })`,
  confirmPhone: `await tawthiq.auth.confirmPhone({ phone_code: '966', phone: '0512345678', otp: '493027' })`,
  refreshToken: `// The SDK refreshes an expired access token by itself, once for all calls and tabs.
const { user } = await tawthiq.profile.get()`,
  requestPasswordReset: `await tawthiq.auth.forgotPassword({ by: 'email', email: 'admin@demo.test' })`,
  getProfile: `const { user } = await tawthiq.profile.get()`,
  updateProfile: `const { user } = await tawthiq.profile.get()
await tawthiq.profile.update({ ...toForm(user), profile_photo: photo }) // a File or Blob`,
  getProfileForm: `const form = await tawthiq.operation('getProfileForm', undefined, { query: { account_type: 'client' } })`,
  listLookups: `const { degrees, languages } = await tawthiq.lookups.all()`,
  listCities: `const { items } = await tawthiq.lookups.cities({ region_id: 1 })`,
  listSessions: `const { items } = await tawthiq.sessions.list()`,
  exportAccount: `const { blob, name } = await tawthiq.account.export()`,
  changePassword: `await tawthiq.profile.changePassword({
  current_password: 'Tawthiq-demo-1',
  new_password: 'olive-harbour-58-lantern',
})`,
  logout: `await tawthiq.auth.logout()`,
}
/** The parameters of the samples */
const QUERIES: Readonly<Record<string, string>> = { getProfileForm: '?account_type=client', listCities: '?region_id=1' }
/** What users send as a file in place of the empty value of an example */
const FILES: Readonly<Record<string, string>> = { profile_photo: 'photo.png' }

type Request = {
  id: string
  method: string
  path: string
  isSecured: boolean
  media?: string
  fields: [string, unknown][]
}

/** Adds samples for the SDK, curl and Kotlin to the operations that people call, made from the first example of each. */
export function addCodeSamples(document: Document): void {
  for (const route of listRoutes(document)) {
    const call = SDK_CALLS[route.operation.operationId]
    if (call === undefined) continue
    const request = toRequest(document, route)
    route.operation['x-codeSamples'] = [
      { lang: 'TypeScript', label: 'SDK', source: sdkSample(call) },
      { lang: 'Shell', label: 'curl', source: curlSample(request) },
      { lang: 'Kotlin', label: 'Kotlin', source: kotlinSample(request) },
    ]
  }
}

function toRequest(document: Document, { path, method, operation }: Route): Request {
  const { operationId: id, requestBody } = operation
  const [media, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const [example] = Object.values((content as Media | undefined)?.examples ?? {})
  const fields = Object.entries(example?.value ?? {})
  const isSecured = takesToken(document, operation)
  const address = path + (QUERIES[id] ?? '')
  return { id, method: method.toUpperCase(), path: address, isSecured, ...(media !== undefined && { media }), fields }
}

function sdkSample(call: string): string {
  const imports = ["import { createTawthiq } from '@tawthiq/sdk'"]
  if (call.includes('toForm(')) imports.push("import { toForm } from '@tawthiq/sdk/forms'")
  return `${imports.join('\n')}

const tawthiq = createTawthiq({ url: '${SAMPLE_ORIGIN}' })
${call}`
}

/** The client sets the Content-Type of a form, which contains its boundary. */
function curlSample({ id, method, path, isSecured, media, fields }: Request): string {
  const target = `'${SAMPLE_ORIGIN}${path}'`
  const parts =
    media === 'multipart/form-data'
      ? formParts(fields).map(([name, value, isFile]) => `-F '${name}=${isFile ? '@' : ''}${value}'`)
      : media === undefined
        ? []
        : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(Object.fromEntries(fields))}'`]
  const isImplied = method === 'GET' || (method === 'POST' && parts.length > 0)
  return [
    `curl ${isImplied ? '' : `-X ${method} `}${target}`,
    ...(isSecured ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...parts,
    ...(id === 'exportAccount' ? ['-OJ'] : []),
  ].join(' \\\n  ')
}

function kotlinSample({ method, path, isSecured, media, fields }: Request): string {
  const parts = formParts(fields).map(([name, value, isFile]) =>
    isFile
      ? `    .addFormDataPart("${name}", "${value}", File("${value}").asRequestBody())`
      : `    .addFormDataPart("${name}", "${value}")`,
  )
  const body =
    media === 'multipart/form-data'
      ? ['val body = MultipartBody.Builder().setType(MultipartBody.FORM)', ...parts, '    .build()']
      : media === undefined
        ? []
        : [
            `val body = """${JSON.stringify(Object.fromEntries(fields))}"""`,
            '    .toRequestBody("application/json".toMediaType())',
          ]
  const empty = method === 'GET' ? 'null' : '"".toRequestBody()'
  return [
    ...body,
    'val request = Request.Builder()',
    `    .url("${SAMPLE_ORIGIN}${path}")`,
    ...(isSecured ? ['    .header("Authorization", "Bearer $token")'] : []),
    `    .method("${method}", ${body.length > 0 ? 'body' : empty})`,
    '    .build()',
    'OkHttpClient().newCall(request).execute().use { response -> println(response.body?.string()) }',
  ].join('\n')
}

/** Returns the parts of a form: lists repeat their name, and maps have brackets. */
function formParts(fields: [string, unknown][]): [name: string, value: string, isFile: boolean][] {
  return fields.flatMap(([name, value]): [string, string, boolean][] => {
    const file = FILES[name]
    if (file !== undefined) return [[name, file, true]]
    if (value === '') return []
    if (Array.isArray(value)) return value.map((item) => [name, String(item), false])
    if (typeof value !== 'object' || value === null) return [[name, String(value), false]]
    return Object.entries(value).map(([key, item]) => [`${name}[${key}]`, String(item), false])
  })
}
