import { readFile } from 'node:fs/promises'
import { compressed } from '../reply/encodings.ts'
import { siteFileAt, type SiteFile } from './site.ts'

/** What the document says about an installation */
export type Installation = Readonly<{
  /** The URL under which clients reach the service */
  url?: string | undefined
  /** A URL or an e-mail address */
  contact?: string | undefined
  /** The URL of the terms of service */
  terms?: string | undefined
}>

/** Returns the files, of which those of the document have the server, contact and terms of the installation. */
export async function fillDocuments(files: readonly SiteFile[], installation: Installation): Promise<SiteFile[]> {
  if (Object.values(installation).every((value) => value === undefined)) return [...files]
  const fill = async (file: SiteFile): Promise<SiteFile> =>
    file.path.startsWith('/openapi') ? fillDocument(file, installation) : file
  return Promise.all(files.map(fill))
}

const BROTLI_QUALITY = 5

/** Where the build writes the server and the information. A JSON text is a YAML text as well. */
const FORMATS = {
  json: { server: '"url":"/"', info: '"info":{', member: (name: string, json: string) => `"${name}":${json},` },
  yaml: { server: 'url: /\n', info: '\ninfo:\n', member: (name: string, json: string) => `  ${name}: ${json}\n` },
} as const

async function fillDocument(file: SiteFile, { url, contact, terms }: Installation): Promise<SiteFile> {
  const { server, info, member } = FORMATS[file.path.endsWith('.yaml') ? 'yaml' : 'json']
  const toContact = (text: string): object => (URL.canParse(text) ? { url: text } : { email: text })
  const added = { termsOfService: terms, contact: contact === undefined ? undefined : toContact(contact) }
  const members = Object.entries(added).filter(([, value]) => value !== undefined)
  const text = (await readFile(siteFileAt(file.path), 'utf8'))
    .replace(info, () => info + members.map(([name, value]) => member(name, JSON.stringify(value))).join(''))
    .replace(server, () => server.replace(/"?\/"?/, () => JSON.stringify(url ?? '/')))
  return { ...file, ...(await compressed(Buffer.from(text), BROTLI_QUALITY)) }
}
