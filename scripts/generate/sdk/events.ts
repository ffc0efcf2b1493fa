import type { Document } from '../document/openapi.ts'

/** Returns the types of events, by which unknown ones are recognized. */
export function renderEvents({ webhooks }: Document): string {
  return `export const EVENT_TYPES: readonly string[] = ${JSON.stringify(Object.keys(webhooks))}\n`
}
