import { Type, type Static, type TObject } from '@sinclair/typebox'
import { list, webAddress } from './variable-kinds.ts'

/** Variables of webhooks. */
export const eventsVariables = {
  EVENTS_WEBHOOK_URL: Type.Optional(
    webAddress({
      about: 'URL to which events are delivered.',
      shown: 'none; events are not delivered',
    }),
  ),
  EVENTS_WEBHOOK_SECRETS: Type.Optional(
    list(Type.String({ pattern: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$' }), {
      about:
        'Secrets that sign events. List the old and the new one during a rotation. Required with EVENTS_WEBHOOK_URL.',
      accepts: 'whsec_ followed by 24 to 64 random bytes in base64, or a list of these',
    }),
  ),
}

type Given = Static<TObject<typeof eventsVariables>>

export type EventsConfig = Readonly<{ url: string; secrets: readonly string[] }>

/** Returns the webhook configuration; undefined if events are not delivered. */
export function parseEventsConfig(given: Given): EventsConfig | undefined {
  const { EVENTS_WEBHOOK_URL: url, EVENTS_WEBHOOK_SECRETS: secrets } = given
  return url === undefined || secrets === undefined ? undefined : { url, secrets }
}

type Missing = (name: keyof Given, why: string) => string[]

/** Lists what is missing. */
export function eventsProblems(given: Partial<Given>, missing: Missing): string[] {
  const { EVENTS_WEBHOOK_URL: url, EVENTS_WEBHOOK_SECRETS: secrets } = given
  if ((url === undefined) === (secrets === undefined)) return []
  return url === undefined
    ? missing('EVENTS_WEBHOOK_URL', 'EVENTS_WEBHOOK_SECRETS is set.')
    : missing('EVENTS_WEBHOOK_SECRETS', 'EVENTS_WEBHOOK_URL is set, and events are signed.')
}
