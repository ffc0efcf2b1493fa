// README.md and docs/: their links, commands and lists must match the project.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { readDocument } from '../../src/contract/document.ts'
import { catalogues } from '../../src/messages/index.ts'

const README_LINES_MAX = 150
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'prisma/reference/README.md',
  'sdk/README.md',
  'examples/react/README.md',
  'pages/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** What guides link to by its path on the server: the build of the site resolves these links */
const SERVED = ['/docs/reference/', '/docs/en/changelog/', '/openapi.json', '/openapi.yaml']

const textOf = (path: string): string => readFileSync(path, 'utf8')

/** Returns the anchors of the headings of a page, as GitHub names them. */
function anchorsIn(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

void t.test(`README.md has at most ${README_LINES_MAX} lines`, (t) => {
  t.ok(textOf('README.md').split('\n').length <= README_LINES_MAX)
  t.end()
})

void t.test('every relative link leads to a file and to a heading', (t) => {
  for (const page of PAGES) {
    for (const [, link = ''] of textOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue
      if (SERVED.includes(link)) continue
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : join(dirname(page), path)
      t.ok(existsSync(target), `${page}: ${link}`)
      if (anchor !== undefined) t.ok(anchorsIn(target).includes(anchor), `${page}: ${link}`)
    }
  }
  t.end()
})

function scriptsIn(folder: string): Record<string, string> {
  const file = join(folder, 'package.json')
  return existsSync(file) ? (JSON.parse(textOf(file)) as { scripts: Record<string, string> }).scripts : {}
}

void t.test('every npm command that the pages mention exists', (t) => {
  for (const page of PAGES) {
    for (const [, name = '', workspace] of textOf(page).matchAll(/npm run (?:-s )?([\w:-]+)(?: -w (\w+))?/g)) {
      const packages = workspace === undefined ? ['.', dirname(page)] : [workspace]
      t.ok(
        packages.some((folder) => scriptsIn(folder)[name]),
        `${page}: ${name}`,
      )
    }
  }
  t.end()
})

void t.test('the guides to webhooks list every event type', (t) => {
  const { webhooks } = readDocument() as unknown as { webhooks: Record<string, unknown> }
  for (const page of ['docs/guides/en/webhooks.md', 'docs/guides/ar/webhooks.md']) {
    const listed = [...textOf(page).matchAll(/^\| `(\w+\.\w+)` /gm)].map(([, type]) => type)
    t.same(listed.sort(), Object.keys(webhooks).sort(), page)
  }
  t.end()
})

void t.test('docs/architecture.md follows each step of the change', (t) => {
  const [, method = ''] =
    /deletePasskey: (\(bearer.*?)^ {6}\}\),$/ms.exec(textOf('src/store/factors/passkeys.ts')) ?? []
  const [, section = ''] = /^## Follow one change$(.*?)^## /ms.exec(textOf('docs/architecture.md')) ?? []
  const followed = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, step = '']) => step.replace(/…\)$/, ''))
  const steps = [...method.matchAll(/await [\w.]+\(|inModelChange\(|return .*/g)].map(([step]) => step)
  t.same(steps.length, followed.length)
  for (const [index, step] of steps.entries()) t.ok(followed[index]?.startsWith(step), `${step} is ${followed[index]}`)
  t.end()
})

void t.test('docs/using-the-api.md links to every flow', (t) => {
  const linked = [...textOf('docs/using-the-api.md').matchAll(/openapi\/flows\/([\w-]+\.arazzo\.yaml)/g)]
  const flows = readdirSync('openapi/flows').filter((name) => name.endsWith('.arazzo.yaml'))
  t.same(linked.map(([, name]) => name).sort(), flows.sort())
  t.end()
})

void t.test('responses in the pages have the messages of the service', (t) => {
  const messages = new Set<string>(Object.values(catalogues).flatMap((texts) => Object.values(texts)))
  for (const page of PAGES) {
    for (const [, message = ''] of textOf(page).matchAll(/"message": "([^"]+)"/g)) t.ok(messages.has(message), message)
  }
  t.end()
})
