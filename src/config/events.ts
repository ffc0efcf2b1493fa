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

type Given = Values<typeof eventsVariables>

export const eventsConfig = ({ EVENTS_WEBHOOK_URL: url, EVENTS_WEBHOOK_SECRETS: secrets }: Given) =>
  ({
    /** undefined: events are not delivered */
    events: url === undefined || secrets === undefined ? undefined : { url, secrets },
  }) as const
