// The examples of the document work on a fresh start.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { nationalIdCheck } from '../../../src/domain/profiles/national-id.ts'
import { addDemoAccounts, DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../../src/store/demo-data.ts'
import type { Form } from '../../support/service/sender.ts'
import { openService } from '../../support/service/service.ts'
import { openWorld, tokensIn } from '../../support/service/world.ts'

type Example = Record<string, unknown>
type Document = {
  paths: Record<
    string,
    { put: { requestBody: { content: Record<string, { examples: Record<string, { value: Example }> }> } } }
  >
}

const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document
const examples = document.paths['/api/v1/profile']?.put.requestBody.content['multipart/form-data']?.examples ?? {}

void t.test('uses plausible national IDs in demo accounts and examples', (t) => {
  const lawyers = DEMO_ACCOUNTS.flatMap(({ lawyer }) => (lawyer ? [lawyer] : []))
  t.ok(lawyers.length > 0)
  for (const lawyer of lawyers) t.equal(nationalIdCheck(lawyer), 'plausible', lawyer.nationalId)
  const shown = JSON.stringify(document).matchAll(/"national_id":"([^"]*)"/g)
  const numbers = [...shown].map(([, nationalId = '']) => nationalId)
  t.ok(numbers.length > 0)
  for (const nationalId of numbers) t.equal(nationalIdCheck({ nationalId, identityType: 1 }), 'plausible', nationalId)
  t.end()
})

void t.test('accepts the example forms from the demo accounts', async (t) => {
  const service = await openService({ config: { hasDemoData: true, nationalIdCheck: 'strict' } })
  t.teardown(() => service.close())
  const world = await openWorld(service)
  for (const kind of ['client', 'lawyer']) {
    const login = await world.send('login')({ json: { email: `${kind}@demo.test`, password: DEMO_PASSWORD } })
    const { token } = tokensIn(login)
    const entries = Object.entries(examples[`${kind}_ar`]?.value ?? {})
    const form = Object.fromEntries(
      entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ) as Form
    const { status, body } = await world.send('updateProfile')({ token, form })
    t.equal(status, 200, JSON.stringify(body))
    if (kind === 'client') continue
    const { national_id_image, degree_certificate } = body.data.user as Record<string, string>
    t.match([national_id_image, degree_certificate], [/^\/api\/v1\/files\//, /signature=/])
  }
})

void t.test('keeps the test numbers after a restart when the address of a demo account has changed', async (t) => {
  const before = await openService({ config: { hasDemoData: true } })
  t.teardown(() => before.close())
  const { prisma } = before.database
  await prisma.account.update({ where: { email: 'client@demo.test' }, data: { email: 'sara@example.org' } })
  t.equal(await addDemoAccounts(before.database), true)
  await prisma.account.updateMany({ data: { passwordHash: 'another' } })
  t.equal(await addDemoAccounts(before.database), false, 'the database could be that of a real service')
})

void t.test('adds the demo accounts without a transaction of Prisma, which has a time limit', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  const { pool } = service.database
  const prisma = undefined as never // the start loads its query compiler, which takes seconds on a slow machine
  t.equal(await addDemoAccounts({ pool, prisma, close: () => Promise.resolve() }), true)
  const { rows } = await pool.query(`
    SELECT a.email, a.is_admin, a.phone_verified_at IS NOT NULL AS "hasPhone", a.email_verified_at IS NOT NULL AS "hasEmail",
      p.gender::text, l.birth_date::text, n.licence_no, array_agg(s.language_id ORDER BY 1) AS languages
    FROM accounts a JOIN profiles p ON p.account_id = a.id LEFT JOIN lawyer_profiles l ON l.account_id = a.id
    LEFT JOIN lawyer_licences n ON n.account_id = a.id LEFT JOIN lawyer_languages s ON s.account_id = a.id
    GROUP BY a.id, p.account_id, l.account_id, n.account_id, n.section_id ORDER BY a.id`)
  const person = {
    is_admin: false,
    hasPhone: true,
    hasEmail: false,
    birth_date: null,
    licence_no: null,
    languages: [null],
  }
  t.same(rows, [
    { ...person, email: 'client@demo.test', gender: 'Female' },
    {
      ...person,
      email: 'lawyer@demo.test',
      gender: 'Male',
      birth_date: '1988-05-17',
      licence_no: '38/1234',
      languages: [8, 37],
    },
    { ...person, email: 'admin@demo.test', gender: 'Female', is_admin: true, hasEmail: true },
  ])
})
