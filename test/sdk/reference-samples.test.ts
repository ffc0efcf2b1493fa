// The samples of the reference for the SDK and React, and those of the guides for React, compile.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { codeSamples } from '../../scripts/generate/document/code-samples.ts'
import { listRoutes, type Document } from '../../scripts/generate/document/openapi.ts'

/** What the samples leave to the application of the reader */
const GIVEN = {
  'given.d.ts': `declare const photo: Blob
declare const link: string
declare const user: import('@tawthiq/sdk').Schemas['UserProfile']`,
  'client.ts': `import { createTawthiq } from '@tawthiq/sdk'
import { createAdmin } from '@tawthiq/sdk/admin'
import { createFactors } from '@tawthiq/sdk/factors'
import { createPasskeys } from '@tawthiq/sdk/passkeys'
export const tawthiq = createTawthiq({ url: 'http://localhost:3000' })
export const [admin, factors, passkeys] = [createAdmin(tawthiq), createFactors(tawthiq), createPasskeys(tawthiq)]`,
}

void t.test('every sample compiles', (t) => {
  const folder = mkdtempSync('test/samples-') // in the project, so that the packages are found
  t.teardown(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const given = Object.entries(GIVEN).map(([name, text]) => write(name, text))
  const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document
  const samples = listRoutes(document).flatMap((route) =>
    codeSamples(document, route)
      .filter(({ lang }) => lang === 'TypeScript')
      .map(({ label, source }) => write(`${route.operation.operationId}-${label}.ts`, `${source}\nexport {}\n`)),
  )
  const guides = ['en', 'ar'].flatMap((language) =>
    readdirSync(`docs/guides/${language}`).flatMap((name) =>
      [...readFileSync(`docs/guides/${language}/${name}`, 'utf8').matchAll(/^```tsx tab=React\n(.*?)^```/gms)].map(
        ([, source = ''], index) => write(`${language}-${name}-${index}.tsx`, source),
      ),
    ),
  )
  t.ok(samples.length > 120)
  t.ok(guides.length >= 10)
  const program = ts.createProgram([...given, ...samples, ...guides], {
    jsx: ts.JsxEmit.ReactJSX,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    types: [],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  })
  const found = ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
  t.same(found, [])
  t.end()
})
