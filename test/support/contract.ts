import t, { type Test } from 'tap'
import { bindings } from '../../generated/operations.ts'
import type { operations } from '../../generated/types.ts'
import type { Config } from '../../src/config.ts'
import type { OperationId } from '../../src/contract.ts'
import type { Received } from './answers.ts'
import { openWorld, sharedService, type World } from './world.ts'
import type { Send, Sent } from './sender.ts'

/** Tells how an answer comes about; the answer must have the status that the story stands under. */
export type Story = (send: Send, world: World, t: Test) => Promise<Received>

export type Told = Record<string, Story>

/** Every status that the document declares must be told, and no other. */
export type Stories<Id extends OperationId> = { [Status in keyof operations[Id]['responses']]: Told }

/**
 * @param always what every request of the stories has, unless they say otherwise
 * @param config what the service of the stories is configured with besides
 */
export function contract<Id extends OperationId>(
  id: Id,
  stories: Stories<Id>,
  always: Sent = {},
  config: Partial<Config> = {},
): void {
  void t.test(`${id}: every status of the document is told`, (t) => {
    t.same(Object.keys(stories).map(Number), [...bindings[id].statuses].sort())
    t.end()
  })
  for (const [status, told] of Object.entries<Told>(stories)) {
    for (const [title, story] of Object.entries(told)) {
      void t.test(`${id} answers ${status}: ${title}`, async (t) => {
        const world = await openWorld(await sharedService(config))
        const send = world.send(id)
        const received = await story((sent) => send({ ...always, ...sent }), world, t)
        t.equal(received.status, Number(status), JSON.stringify(received.body))
      })
    }
  }
}
