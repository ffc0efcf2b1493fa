// Another instance of a service, or the same one after a restart. It shares the database but not the keys.
import t from 'tap'
import { openApp } from '../../../src/app.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import { sender, type Send } from './sender.ts'
import type { Service } from './service.ts'

export type Instance = {
  send(id: OperationId): Send
  /** Returns the code in the last SMS of this instance to a Saudi number. */
  codeTo(phone: string): string
  /** Compares its keys with those of other instances, as it does every minute. */
  reloadKeys(): Promise<void>
  close(): Promise<void>
}

let instances = 0

export async function instanceWith({ config, dependencies }: Service, keys: string): Promise<Instance> {
  const app = await openApp({ ...config, keys: { text: keys } }, dependencies)
  t.teardown(() => app.close())
  const address = `192.0.2.${++instances}`
  const origin = await app.server.listen({ host: '127.0.0.1', port: 0 })
  return {
    reloadKeys: () => app.reloadKeys(),
    close: () => app.close(),
    send: (id) => sender(origin, id, address),
    codeTo(phone) {
      const sent = app.outbox?.messages.find(({ to }) => to === `+966${phone.slice(1)}`)
      return /\d{6}/.exec(sent?.text ?? '')?.[0] ?? ''
    },
  }
}
