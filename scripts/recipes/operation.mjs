// An operation for the owner of an account, with the message of another one.
const ID = 'countSessions'

export const operation = {
  name: 'Add an operation',
  filesMax: 4,
  edits: {
    'openapi/openapi.yaml': [
      [
        '  /api/v1/auth/jwks:',
        '  /api/v1/auth/session-count: { $ref: paths/sessions/count.yaml }\n  /api/v1/auth/jwks:',
      ],
    ],
    'openapi/paths/sessions/count.yaml': pathOf({
      id: ID,
      head: 'tags: [Sessions]',
      summary: 'Count your sessions',
      message: 'x-tawthiq-message: sessions_read',
      counted: 'sessions',
    }),
    [`src/operations/sessions/${ID}.ts`]: `import type { Operation } from '../../contract/operation.ts'

export const ${ID}: Operation<'${ID}'> = async ({ bearer, reply }, { store }) => {
  const { length } = await store.sessions.list(bearer)

  return reply({ sessions: length })
}
`,
    [`test/contract/sessions/${ID}.test.ts`]: `import { commonCases, tokenCases } from '../../support/cases/common-cases.ts'
import { contract } from '../../support/cases/contract.ts'

const common = commonCases('${ID}', async (world) => ({ token: await (await world.person()).token() }), 'store')

contract('${ID}', {
  200: {
    'counts the sessions of the account': async (send, world, t) => {
      const person = await world.person()
      await person.logIn()
      const received = await send({ token: await person.token() })
      t.same(received.body.data, { sessions: 2 })
      return received
    },
  },
  400: common[400],
  ...tokenCases(),
  500: common[500],
  503: common[503],
})
`,
  },
  after: [['run', '-s', 'generate']],
  tests: [`contract/sessions/${ID}`, 'test/house'],
}

const ADMIN_ID = 'adminCountSuspended'

/** An operation of administrators, with a message and a method of the database of its own. */
export const adminOperation = {
  name: 'Add an operation of administrators',
  filesMax: 5,
  edits: {
    'openapi/openapi.yaml': [
      [
        '  /api/v1/admin/audit:',
        '  /api/v1/admin/suspended-count: { $ref: paths/admin/suspended-count.yaml }\n  /api/v1/admin/audit:',
      ],
    ],
    'openapi/paths/admin/suspended-count.yaml': pathOf({
      id: ADMIN_ID,
      head: `tags: [Administration]
  x-tawthiq-requires-administrator: true
  x-tawthiq-requires-recent-authentication: { seconds: '{{recent_authentication.reading_seconds}}' }`,
      summary: 'Count the suspended accounts',
      message: `x-tawthiq-message:
        name: suspended_counted
        en: The suspended accounts were counted.
        ar: تم عدّ الحسابات الموقوفة.`,
      counted: 'accounts',
      refusal: "\n    '403': { $ref: ../../components/responses/AdminRequired.yaml }",
    }),
    [`src/operations/admin/${ADMIN_ID}.ts`]: `import type { Operation } from '../../contract/operation.ts'
import { queuedRead } from '../../services/administration/reads.ts'

export const ${ADMIN_ID}: Operation<'${ADMIN_ID}'> = async (call, context) => {
  const accounts = await queuedRead(call, context, () => context.store.users.countSuspended())

  return call.reply({ accounts })
}
`,
    'src/store/admin/users.ts': [
      ['  administrators(): Promise', '  countSuspended(): Promise<number>\n  administrators(): Promise'],
      [
        '\nconst ADMINISTRATORS =',
        `
const SUSPENDED = query<{ count: number }>(
  { count: column('count(*)::int') },
  (list) => \`SELECT \${list} FROM accounts WHERE suspended_at IS NOT NULL\`,
)

const ADMINISTRATORS =`,
      ],
      [
        '    administrators: () =>',
        '    countSuspended: async () => (await queryOnlyRow(pool, SUSPENDED)).count,\n    administrators: () =>',
      ],
    ],
    [`test/contract/admin/${ADMIN_ID}.test.ts`]: `import { adminCases, asAdmin } from '../../support/cases/administration.ts'
import { contract } from '../../support/cases/contract.ts'

const common = adminCases('${ADMIN_ID}', async () => ({}))

contract('${ADMIN_ID}', {
  ...common,
  200: asAdmin({
    'counts suspended accounts': async (send, world, t) => {
      const count = async (): Promise<number> => (await send({})).body.data.accounts
      const before = await count()
      const { id } = await world.person()
      await world.service.database.prisma.account.update({ where: { id }, data: { suspendedAt: new Date() } })
      t.equal(await count(), before + 1)
      return send({})
    },
  }),
})
`,
  },
  after: [['run', '-s', 'generate']],
  tests: [`contract/admin/${ADMIN_ID}`, 'store/statements'],
}

/** Returns an operation that counts something. */
function pathOf({ id, head, summary, message, counted, refusal = '' }) {
  return `get:
  operationId: ${id}
  ${head}
  summary: ${summary}
  description: Returns the number of ${counted}.
  responses:
    '200':
      description: The number of ${counted}.
      ${message}
      content:
        application/json:
          schema:
            type: object
            description: The number of ${counted}.
            required: [${counted}]
            additionalProperties: false
            properties:
              ${counted}: { type: integer, format: int32, minimum: 0, maximum: 1000, description: The number., examples: [2] }
          examples:
            two:
              summary: Two
              value: {}
    '400': { $ref: ../../components/responses/BadRequest.yaml }
    '401': { $ref: ../../components/responses/Unauthorized.yaml }${refusal}
    '429': { $ref: ../../components/responses/TooManyRequests.yaml }
    '500': { $ref: ../../components/responses/InternalServerError.yaml }
    '503': { $ref: ../../components/responses/ServiceUnavailable.yaml }
`
}
