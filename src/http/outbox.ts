import type { FastifyInstance } from 'fastify'
import type { Outbox } from '../adapters/outbox.ts'
import { say } from '../messages/index.ts'

/** The messages that development did not send. This path does not exist in production. */
export function serveOutbox(server: FastifyInstance, { messages }: Outbox): void {
  server.get('/dev/outbox', ({ language }) => ({
    status: true,
    code: 200,
    message: say(language, 'outbox_read'),
    data: {
      messages: messages.map(({ sentAt, ...message }) => ({ ...message, sent_at: sentAt })),
    },
  }))
}
