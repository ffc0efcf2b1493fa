// The document with the server, contact and terms of an installation, in both editions and as YAML.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { fillDocuments, type Installation } from '../../src/http/endpoints/document.ts'
import { readSite, siteFileAt } from '../../src/http/endpoints/site.ts'
import { openService } from '../support/service/service.ts'

const PATHS = ['/openapi.json', '/openapi-3.0.json', '/openapi.yaml']
const SITE = {
  url: 'https://accounts.example/a"$&',
  contact: 'https://example.com/support',
  terms: 'https://example.com/terms',
}

type Document = { info: Record<string, unknown>; servers: object[]; paths: object }

async function documentAt(origin: string, path: string): Promise<Document> {
  return parse(await (await fetch(origin + path)).text()) as Document
}

void t.test(
  'the document names the server, contact and terms of the installation, and differs in nothing else',
  async (t) => {
    const { origin, close } = await openService({ config: { installation: SITE } })
    t.teardown(close)
    for (const path of PATHS) {
      const built = parse(readFileSync(siteFileAt(path), 'utf8')) as Document
      const { info, servers, ...rest } = await documentAt(origin, path)
      const { info: builtInfo, servers: builtServers, ...builtRest } = built
      t.same(rest, builtRest)
      t.same(info, { ...builtInfo, contact: { url: SITE.contact }, termsOfService: SITE.terms })
      t.same(servers, [{ ...builtServers[0], url: SITE.url }])
    }
  },
)

void t.test('each encoding of it has its own entity tag, with which it is 304', async (t) => {
  const { origin, close } = await openService({ config: { installation: { contact: 'api@example.com' } } })
  t.teardown(close)
  for (const path of PATHS) {
    const plain = await fetch(origin + path, { headers: { 'accept-encoding': 'identity' } })
    const text = await plain.text()
    t.match(parse(text) as Document, { info: { contact: { email: 'api@example.com' } }, servers: [{ url: '/' }] })
    t.not(plain.headers.get('etag'), readSite().find((file) => file.path === path)?.tags.identity)
    for (const encoding of ['br', 'gzip']) {
      const response = await fetch(origin + path, { headers: { 'accept-encoding': encoding } })
      t.equal(response.headers.get('content-encoding'), encoding)
      t.equal(await response.text(), text)
      const etag = response.headers.get('etag') ?? ''
      t.not(etag, plain.headers.get('etag'))
      t.equal((await fetch(origin + path, { headers: { 'if-none-match': etag } })).status, 304)
    }
  }
})

void t.test('without any of them, the files of the build are served and no document claims an owner', async (t) => {
  const none: Installation = { url: undefined, contact: undefined, terms: undefined }
  t.ok((await fillDocuments(readSite(), none)).every(({ contents }) => contents === undefined))
  for (const path of PATHS) {
    const { info, servers } = parse(readFileSync(siteFileAt(path), 'utf8')) as Document
    t.equal(info['contact'] ?? info['termsOfService'], undefined)
    t.match(servers, [{ url: '/' }])
  }
})
