import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { encodingTags, type Encoding, type EncodingTags } from '../reply/encodings.ts'

/** What the document says about an installation */
export type Installation = Readonly<{
  /** The URL under which clients reach the service */
  url?: string | undefined
  /** A URL or an e-mail address */
  contact?: string | undefined
  /** The URL of the terms of service */
  terms?: string | undefined
}>

type Filled = Readonly<{ tags: EncodingTags; contents: Readonly<Partial<Record<Encoding, Buffer>>> }>

/** Where the build writes the server and the information. A JSON text is a YAML text as well. */
const FORMATS = {
  json: { server: '"url":"/"', info: '"info":{', member: (name: string, json: string) => `"${name}":${json},` },
  yaml: { server: 'url: /\n', info: '\ninfo:\n', member: (name: string, json: string) => `  ${name}: ${json}\n` },
} as const

/** Returns the file of the document at a URL with the server, contact and terms of an installation. */
export async function fillDocument(file: URL, { url, contact, terms }: Installation): Promise<Filled> {
  const { server, info, member } = FORMATS[file.pathname.endsWith('.yaml') ? 'yaml' : 'json']
  const toContact = (text: string): object => (URL.canParse(text) ? { url: text } : { email: text })
  const added = { termsOfService: terms, contact: contact === undefined ? undefined : toContact(contact) }
  const members = Object.entries(added).filter(([, value]) => value !== undefined)
  const text = (await readFile(file, 'utf8'))
    .replace(info, () => info + members.map(([name, value]) => member(name, JSON.stringify(value))).join(''))
    .replace(server, () => server.replace(/"?\/"?/, () => JSON.stringify(url ?? '/')))
  const identity = Buffer.from(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(identity, { params }), promisify(gzip)(identity)])
  return { tags: encodingTags(identity, ['br', 'gzip', 'identity']), contents: { br, gzip: zipped, identity } }
}
