// The lint rule for the connections of changes.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Linter } from 'eslint'
import t from 'tap'
import tseslint from 'typescript-eslint'

type Entry = Readonly<{ files?: readonly string[]; rules?: Linter.RulesRecord }>

const { default: config } = (await import(pathToFileURL(resolve('eslint.config.js')).href)) as { default: Entry[] }
const RULE = 'no-restricted-syntax'
const rule = config.find(({ files, rules }) => files?.includes('src/store/**') && rules?.[RULE])?.rules?.[RULE]

/** Returns the lines with a violation. */
function violations(code: string): number[] {
  const languageOptions = { parser: tseslint.parser as Linter.Parser }
  const found = new Linter().verify(code, { languageOptions, rules: { [RULE]: rule ?? 'off' } })
  return found.map(({ line }) => line)
}

const VIOLATIONS: Readonly<Record<string, string>> = {
  'a model without the transaction': `inModelChange(async ({ tx }) => {\n await prisma.account.count() })`,
  'SQL on another connection': `inChange(async (change) =>\n queryRow(pool, READ, 1))`,
  'a member of the parts of the store': `parts.inModelChange((change) =>\n parts.pool.query('SELECT 1'))`,
  'a change within a change': `inModelChange(async (change) => {\n await inChange(async () => 1) })`,
  'the pool in a function of a change': `async function add(change: ModelChange, id: number) {\n await pool.query('SELECT 1') }`,
  'a model in a function of members of a change': `const add = ({ tx }: Change) =>\n prisma.account.count()`,
}

for (const [title, code] of Object.entries(VIOLATIONS)) {
  void t.test(`rejects ${title}`, (t) => {
    t.same(violations(code), [2])
    t.end()
  })
}

void t.test('accepts the transaction in a change, and the pool elsewhere', (t) => {
  const code = `
    export function rows({ pool, prisma, inModelChange }: StoreParts): Rows {
      return {
        read: (id) => queryRow(pool, READ, id),
        count: () => prisma.account.count(),
        rename: (id) => inModelChange(async (change) => {
          await queryRow(change.transaction, LOCK, id)
          await change.tx.account.update({ where: { id }, data: {} })
        }),
      }
    }`
  t.same(violations(code), [])
  t.end()
})
