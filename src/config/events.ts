import { signingSecrets, webAddress, type Values } from './variable-kinds.ts'

/** Variables of webhooks. */
export const eventsVariables = {
  EVENTS_WEBHOOK_URL: webAddress({
    about: 'URL to which events are delivered.',
    shown: 'none; events are not delivered',
    isSecret: true,
  }),
  EVENTS_WEBHOOK_SECRETS: signingSecrets({
    about:
      'Secrets that sign events. List the old and the new one during a rotation. Required with EVENTS_WEBHOOK_URL.',
  }),
}

export type EventsConfig = Readonly<{ url: string; secrets: readonly string[] }>

/** Returns the webhook configuration; undefined if events are not delivered. */
export function parseEventsConfig(given: Values<typeof eventsVariables>): EventsConfig | undefined {
  const { EVENTS_WEBHOOK_URL: url, EVENTS_WEBHOOK_SECRETS: secrets } = given
  return url === undefined || secrets === undefined ? undefined : { url, secrets }
}
