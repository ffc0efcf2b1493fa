// Every request example of the document works on a fresh development server.
import t, { type Test } from 'tap'
import { bindings } from '../../generated/operations.ts'
import { missingExamples, requestExamples, type Example } from '../support/examples/document.ts'
import { inOrder } from '../support/examples/order.ts'
import { peopleOf, type People, type Who } from '../support/examples/people.ts'
import { withoutPlaceholders } from '../support/examples/placeholders.ts'
import { requestOf } from '../support/examples/requests.ts'
import { start, temporaryFolder } from '../support/process.ts'

const examples = requestExamples()

/** Where a body can be a form or JSON, each number can be registered by one of them. */
const isAsJson = ({ id, media }: Example): boolean => media === 'application/json' && bindings[id].media.length > 1

void t.test('bodies and parameters have examples', (t) => {
  t.same(missingExamples(), [])
  t.end()
})

void t.test('the examples, sent in the order of a user', (t) =>
  replay(
    t,
    examples.filter((example) => !isAsJson(example)),
  ),
)

void t.test('the examples of forms, sent as JSON', (t) => replay(t, examples.filter(isAsJson)))

async function replay(t: Test, chosen: readonly Example[]): Promise<void> {
  const { origin, kill } = await start({ DATA_DIR: temporaryFolder() })
  const people = peopleOf(origin)
  for (const example of inOrder(chosen)) {
    for (const who of people.whoSends(example)) await replayAs(t, who, example, people)
  }
  await kill('SIGTERM')
}

async function replayAs(t: Test, who: Who, example: Example, people: People): Promise<void> {
  const { id, name } = example
  const filled = await withoutPlaceholders(example, people)
  const token = who === 'nobody' ? undefined : await people.tokenOf(who)
  const received = await people.send(id)(await requestOf(filled, token))
  const { status } = bindings[id].success
  const answer = received.status === status ? '' : JSON.stringify(received.body)
  t.equal(received.status, status, `the example ${name} of ${id}, sent by ${who}, succeeds ${answer}`.trim())
  people.remember(filled, received)
}
