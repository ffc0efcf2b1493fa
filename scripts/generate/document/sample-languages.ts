// A request as a sample of each language.
export const SAMPLE_ORIGIN = 'http://localhost:3000'

/** What users send as a file in place of the empty value of an example */
const FILES: Readonly<Record<string, string>> = { profile_photo: 'photo.png' }
export type SampleRequest = {
  id: string
  method: string
  path: string
  isSecured: boolean
  media: string | undefined
  fields: [string, unknown][]
  parameters: Readonly<Record<string, string>>
}

const LINE_MAX = 76
type Notation = { quote(text: string): string; key(name: string): string; constants: Readonly<Record<string, string>> }

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
export const TYPESCRIPT: Notation = {
  quote: quoted,
  key: (name) => (/^\w+$/.test(name) && !/^\d/.test(name) ? name : quoted(name)),
  constants: {},
}
const PYTHON: Notation = { quote: quoted, key: quoted, constants: { true: 'True', false: 'False', null: 'None' } }

/** Returns a value in a notation, on one line if it is short. */
export function literal(value: unknown, indent: string, notation: Notation): string {
  if (typeof value === 'string') return notation.quote(value)
  if (typeof value !== 'object' || value === null) return notation.constants[String(value)] ?? String(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const inner = `${indent}${notation === PYTHON ? '    ' : '  '}`
  const items = Object.entries(value).map(([name, item]) => {
    const text = literal(item, inner, notation)
    return Array.isArray(value) ? text : `${notation.key(name)}: ${text}`
  })
  const gap = Array.isArray(value) || notation === PYTHON || items.length === 0 ? '' : ' '
  const line = `${open}${gap}${items.join(', ')}${gap}${close}`
  if (indent.length + line.length <= LINE_MAX && !line.includes('\n')) return line
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`
}

/** The modules that add operations to a client, by the function that creates them */
const MODULES = { createFactors: 'factors', createPasskeys: 'passkeys', createAdmin: 'admin' } as const
const TO_FORM = "import { toForm } from '@tawthiq/sdk/forms'"

export function sdkSample(call: string): string {
  const modules = Object.entries(MODULES).filter(([, name]) => call.includes(`await ${name}.`))
  return [
    "import { createTawthiq } from '@tawthiq/sdk'",
    ...modules.map(([create, name]) => `import { ${create} } from '@tawthiq/sdk/${name}'`),
    ...(call.includes('toForm(') ? [TO_FORM] : []),
    '',
    `const tawthiq = createTawthiq({ url: '${SAMPLE_ORIGIN}' })`,
    ...modules.map(([create, name]) => `const ${name} = ${create}(tawthiq)`),
    call,
  ].join('\n')
}

/** Reads when the component is mounted, or changes when the user does something. `client.ts` exports the client and its modules. */
export function reactSample(source: string, { method }: SampleRequest): string {
  const [, callee = '', given = ''] =
    /await ([\w.]+)\(([^]*)\)( \/\/.*)?$/.exec(source.slice(source.lastIndexOf('await '))) ?? []
  const imports = [`import { ${callee.split('.')[0]} } from './client.ts'`]
  if (given.includes('toForm(')) imports.push(TO_FORM)
  const call = `() => ${callee}(${given})`
  if (method === 'GET' || callee === 'tawthiq.profile.get')
    return `import { useQuery } from '@tawthiq/sdk/react'
${imports.join('\n')}

const { data, pending, message } = useQuery(${given === '' ? callee : call})`
  const operation = given === '' || given.startsWith('{') ? callee : call
  return `import { useOperation } from '@tawthiq/sdk/react'
${imports.join('\n')}

const { run, pending, fields, message } = useOperation(${operation})
// when the user submits the form
await run(${operation === callee ? given : ''})`
}

/** The client sets the Content-Type of a form, which contains its boundary. */
export function curlSample({ id, method, path, isSecured, media, fields }: SampleRequest): string {
  const target = `'${SAMPLE_ORIGIN}${path}'`
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const parts = (): string[] => {
    if (media === undefined) return []
    if (media === 'multipart/form-data')
      return formParts(fields).map(([name, value, isFile]) => `-F ${quote(`${name}=${isFile ? '@' : ''}${value}`)}`)
    if (media === 'application/x-www-form-urlencoded')
      return formParts(fields).map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`)
    return ["-H 'Content-Type: application/json'", `-d ${quote(json(fields))}`]
  }
  const isImplied = method === 'GET' || (method === 'POST' && media !== undefined)
  return [
    `curl ${isImplied ? '' : `-X ${method} `}${target}`,
    ...(isSecured ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...parts(),
    ...(id === 'exportAccount' ? ['-OJ'] : []),
  ].join(' \\\n  ')
}

/** Returns a JSON object, on one line if it is short. */
function json(fields: SampleRequest['fields']): string {
  const value = Object.fromEntries(fields)
  const line = JSON.stringify(value)
  return line.length <= LINE_MAX ? line : JSON.stringify(value, null, 2)
}

export function pythonSample({ method, path, isSecured, media, fields }: SampleRequest): string {
  const body = (): string => {
    if (media === 'multipart/form-data') {
      const parts = formParts(fields).map(([name, value, isFile]) => {
        const content = isFile ? `open(${quoted(value)}, 'rb')` : `(None, ${quoted(value)})`
        return `        (${quoted(name)}, ${content}),\n`
      })
      return `files=[\n${parts.join('')}    ]`
    }
    const kind = media === 'application/x-www-form-urlencoded' ? 'data' : 'json'
    return `${kind}=${literal(Object.fromEntries(fields), '    ', PYTHON)}`
  }
  const lines = [
    quoted(SAMPLE_ORIGIN + path),
    ...(isSecured ? ["headers={'Authorization': f'Bearer {token}'}"] : []),
    ...(media === undefined ? [] : [body()]),
  ]
  return `import requests

response = requests.${method.toLowerCase()}(
${lines.map((line) => `    ${line},\n`).join('')})
response.raise_for_status()`
}

export function kotlinSample({ method, path, isSecured, media, fields }: SampleRequest): string {
  const parts = formParts(fields).map(([name, value, isFile]) => {
    const file = isFile ? `, File("${value}").asRequestBody()` : ''
    return `    .addFormDataPart("${name}", "${value}"${file})`
  })
  const body =
    media === 'multipart/form-data'
      ? ['val body = MultipartBody.Builder().setType(MultipartBody.FORM)', ...parts, '    .build()']
      : media === undefined
        ? []
        : [`val body = """${json(fields)}"""`, '    .toRequestBody("application/json".toMediaType())']
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
