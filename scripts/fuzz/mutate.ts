import { hostileText, hostileValue } from './hostile.ts'
import type { Random } from './random.ts'

type Node = Record<string, unknown> | unknown[]

/** A copy of a value with something else at one place, or something more or less. */
export function mutate(value: unknown, names: readonly string[], random: Random): unknown {
  if (random.chance(0.06)) return hostileValue(random)
  const copy: unknown = structuredClone(value)
  const nodes = listNodes(copy)
  if (nodes.length === 0) return hostileValue(random)
  const node = random.pick(nodes)
  if (Array.isArray(node)) mutateList(node, random)
  else mutateObject(node, names, random)
  return copy
}

function listNodes(value: unknown): Node[] {
  if (typeof value !== 'object' || value === null) return []
  return [value as Node, ...Object.values(value).flatMap(listNodes)]
}

function mutateObject(object: Record<string, unknown>, names: readonly string[], random: Random): void {
  const own = Object.keys(object)
  const one = own.length > 0 ? random.pick(own) : 'a'
  const mutations: (() => void)[] = [
    () => (object[one] = hostileValue(random)),
    () => (object[one] = hostileText(random)),
    () => (object[one] = [object[one], object[one]]),
    () => (object[one] = { [one]: object[one] }),
    () => (object[one] = JSON.stringify({ [one]: object[one] })),
    () => (object[one] = null),
    () => Reflect.deleteProperty(object, one),
    () => addMember(object, hostileText(random), hostileValue(random)),
    () => (object[names.length > 0 ? random.pick(names) : 'b'] = hostileValue(random)), // perhaps of another variant
    () => (object['is_admin'] = true),
    () => {
      const other = random.pick([...own, one])
      const kept = object[one]
      object[one] = object[other]
      object[other] = kept
    },
  ]
  random.pick(mutations)()
}

/** Adds a member of any name: an assignment to `__proto__` would not. */
function addMember(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

function mutateList(list: unknown[], random: Random): void {
  const mutations: (() => void)[] = [
    () => list.push(hostileValue(random)),
    () => list.push(...list.slice(0, 50)),
    () => list.splice(0),
    () => (list[random.int(0, list.length)] = hostileValue(random)),
  ]
  random.pick(mutations)()
}
