import { signingSecrets, webAddress, type Missing, type Values } from './variable-kinds.ts'

/** Variables of webhooks. */
export const eventsVariables = {
  EVENTS_WEBHOOK_URL: webAddress({
    about: 'URL to which events are delivered.',
    shown: 'none; events are not delivered',
  }),
  EVENTS_WEBHOOK_SECRETS: signingSecrets({
    about:
      'Secrets that sign events. List the old and the new one during a rotation. Required with EVENTS_WEBHOOK_URL.',
  }),
}

type Given = Values<typeof eventsVariables>

export type EventsConfig = Readonly<{ url: string; secrets: readonly string[] }>

/** Returns the webhook configuration; undefined if events are not delivered. */
export function parseEventsConfig(given: Given): EventsConfig | undefined {
  const { EVENTS_WEBHOOK_URL: url, EVENTS_WEBHOOK_SECRETS: secrets } = given
  return url === undefined || secrets === undefined ? undefined : { url, secrets }
}

/** Lists what is missing. */
export function eventsProblems(given: Partial<Given>, missing: Missing<Given>): string[] {
  if (given.EVENTS_WEBHOOK_URL !== undefined)
    return missing('EVENTS_WEBHOOK_SECRETS', 'EVENTS_WEBHOOK_URL is set, and events are signed.')
  if (given.EVENTS_WEBHOOK_SECRETS === undefined) return []
  return missing('EVENTS_WEBHOOK_URL', 'EVENTS_WEBHOOK_SECRETS is set.')
}
