import t, { type Test } from 'tap'
import { bindings } from '../../../generated/operations.ts'
import type { operations } from '../../../generated/types.ts'
import type { Config } from '../../../src/config/index.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import type { Received } from '../service/responses.ts'
import { openWorld, sharedService, type World } from '../service/world.ts'
import type { Send, Sent } from '../service/sender.ts'

/** Sends requests and returns the last response, which must have the status that the case is listed under. */
export type Case = (send: Send, world: World, t: Test) => Promise<Received>

/** Cases by title. A title states behaviour and follows the operation ID and the status. */
export type Cases = Record<string, Case>

/** Cases for exactly the statuses that the document declares. */
export type CasesByStatus<Id extends OperationId> = { [Status in keyof operations[Id]['responses']]: Cases }

/**
 * Runs the cases of an operation, each in its own world.
 *
 * @param always default parts of every request
 * @param config configuration of the service, in addition to the defaults
 */
export function contract<Id extends OperationId>(
  id: Id,
  casesByStatus: CasesByStatus<Id>,
  always: Sent = {},
  config: Partial<Config> = {},
): void {
  void t.test(`${id}: has cases for every status in the document`, (t) => {
    t.same(Object.keys(casesByStatus).map(Number), [...bindings[id].statuses].sort())
    t.end()
  })
  for (const [status, cases] of Object.entries<Cases>(casesByStatus)) {
    for (const [title, run] of Object.entries(cases)) {
      void t.test(`${id} ${status}: ${title}`, async (t) => {
        const world = await openWorld(await sharedService(config))
        const send = world.send(id)
        const received = await run((sent) => send({ ...always, ...sent }), world, t)
        t.equal(received.status, Number(status), JSON.stringify(received.body))
      })
    }
  }
}
