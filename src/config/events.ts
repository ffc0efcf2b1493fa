import { Type, type Static, type TObject } from '@sinclair/typebox'
import { list, webAddress } from './variable-kinds.ts'

/** Who is told of events, in the environment. */
export const eventsVariables = {
  EVENTS_WEBHOOK_URL: Type.Optional(
    webAddress({
      about: 'Where events are posted.',
      shown: 'events are stored for a while and not delivered; development shows them at /dev/outbox',
    }),
  ),
  EVENTS_WEBHOOK_SECRETS: Type.Optional(
    list(Type.String({ pattern: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$' }), {
      about:
        'What events are signed with; while secrets change, the new and the old one. Required with EVENTS_WEBHOOK_URL.',
      accepts: 'whsec_ and the base64 of 24 to 64 random bytes, or a list of them',
    }),
  ),
}

type Given = Static<TObject<typeof eventsVariables>>

export type EventsConfig = Readonly<{ url: string; secrets: readonly string[] }>

/** Undefined: nobody is told. */
export function eventsConfigOf(given: Given): EventsConfig | undefined {
  const { EVENTS_WEBHOOK_URL: url, EVENTS_WEBHOOK_SECRETS: secrets } = given
  return url === undefined || secrets === undefined ? undefined : { url, secrets }
}

type Missing = (name: keyof Given, why: string) => string[]

/** What is missing, in words. */
export function eventsProblems(given: Partial<Given>, missing: Missing): string[] {
  const { EVENTS_WEBHOOK_URL: url, EVENTS_WEBHOOK_SECRETS: secrets } = given
  if ((url === undefined) === (secrets === undefined)) return []
  return url === undefined
    ? missing('EVENTS_WEBHOOK_URL', 'there are secrets to sign events with.')
    : missing('EVENTS_WEBHOOK_SECRETS', 'events are signed.')
}
