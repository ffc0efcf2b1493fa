// README.md and docs/: their links, commands and lists must match the project.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { readDocument } from '../../src/contract/document.ts'
import { ar } from '../../src/messages/ar.ts'
import { en } from '../../src/messages/en.ts'

const README_LINES_MAX = 150
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'prisma/reference/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** What guides link to by its path on the server: the build of the site resolves these links */
const SERVED = ['/docs/reference/', '/openapi.json', '/openapi.yaml']

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

void t.test('every npm command that the pages mention exists', (t) => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  for (const page of PAGES) {
    for (const [, name = ''] of textOf(page).matchAll(/npm run (?:-s )?([\w:-]+)/g))
      t.ok(scripts[name], `${page}: ${name}`)
  }
  t.end()
})

void t.test('docs/events.md lists every event type', (t) => {
  const { webhooks } = readDocument().document as unknown as { webhooks: Record<string, unknown> }
  const listed = [...textOf('docs/events.md').matchAll(/^\| `(\w+\.\w+)` /gm)].map(([, type]) => type)
  t.same(listed.sort(), Object.keys(webhooks).sort())
  t.end()
})

void t.test('responses in the pages have the messages of the service', (t) => {
  const messages = new Set<string>([...Object.values(en), ...Object.values(ar)])
  for (const page of PAGES) {
    for (const [, message = ''] of textOf(page).matchAll(/"message": "([^"]+)"/g)) t.ok(messages.has(message), message)
  }
  t.end()
})
