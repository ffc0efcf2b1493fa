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
    'openapi/paths/sessions/count.yaml': `get:
  operationId: ${ID}
  tags: [Sessions]
  summary: Count your sessions
  description: Returns the number of live sessions of the authenticated account.
  responses:
    '200':
      description: The number of sessions.
      x-tawthiq-message: sessions_read
      content:
        application/json:
          schema:
            type: object
            description: The number of live sessions.
            required: [sessions]
            additionalProperties: false
            properties:
              sessions: { type: integer, format: int32, minimum: 1, maximum: 1000, description: The number of sessions., examples: [2] }
          examples:
            two:
              summary: Two sessions
              value: {}
    '400': { $ref: ../../components/responses/BadRequest.yaml }
    '401': { $ref: ../../components/responses/Unauthorized.yaml }
    '429': { $ref: ../../components/responses/TooManyRequests.yaml }
    '500': { $ref: ../../components/responses/InternalServerError.yaml }
    '503': { $ref: ../../components/responses/ServiceUnavailable.yaml }
`,
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
