// A request whose body follows its head later, for what changes in the meantime.
import { once } from 'node:events'
import { request } from 'node:http'
import { bindings } from '../../../generated/operations.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import type { World } from './world.ts'

export type Begun = {
  status: Promise<number>
  /** The error code of the response */
  errorCode: Promise<string | undefined>
  isGoingOn: Promise<unknown>
  end(body: string): void
  destroy(): void
}

/** Sends the head of a request; its body can follow. */
export function begin({ service, address }: World, id: OperationId, token: string, userId = 1): Begun {
  const { method, path } = bindings[id]
  const sent = request(service.origin + path.replace('{user_id}', String(userId)), {
    method,
    headers: {
      'x-forwarded-for': address,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
      expect: '100-continue',
    },
  })
  sent.flushHeaders()
  const head = once(sent, 'response').then(
    ([response]: { statusCode: number; headers: Record<string, string | undefined> }[]) => response,
  )
  return {
    status: head.then((response) => Number(response?.statusCode)),
    errorCode: head.then((response) => response?.headers['error-code']),
    isGoingOn: once(sent, 'continue'),
    end: (body) => sent.end(body),
    destroy: () => sent.destroy(),
  }
}
