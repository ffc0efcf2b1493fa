// A service with a second instance, which has the same keys, database and limits.
import t from 'tap'
import { openApp } from '../../../src/app.ts'
import type { OperationId } from '../../../src/contract/operation.ts'
import { sender, type Send } from '../service/sender.ts'
import type { Service } from '../service/service.ts'
import { sharedService, type World } from '../service/world.ts'

/** The origins of the second instances */
const origins = new WeakMap<Service, string>()

/** Returns the service that all tests of a file share, with a second instance that is closed at the end of the file. */
export async function twoInstances(): Promise<Service> {
  const service = await sharedService()
  const second = await openApp(service.config, service.dependencies)
  t.teardown(() => second.close())
  origins.set(service, await second.server.listen({ host: '127.0.0.1', port: 0 }))
  return service
}

/** Sends to the second instance, from the address of a world. */
export function there({ service, address }: World, id: OperationId): Send {
  return sender(originOf(service), id, address)
}

let addresses = 0

/**
 * Sends to one instance or to the other, from an address that no other request has, so that no limit of a network rejects it.
 *
 * @param at the number of the request among those that are sent at the same time
 */
export function eitherFromAnywhere({ service }: World, at: number, id: OperationId): Send {
  const number = ++addresses
  const address = `172.${16 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
  return sender(at % 2 === 0 ? service.origin : originOf(service), id, address)
}

function originOf(service: Service): string {
  const origin = origins.get(service)
  if (origin === undefined) throw new Error('the service has one instance')
  return origin
}
