import type { FastifyInstance } from 'fastify'
import type { Outbox } from '../../adapters/outbox.ts'
import type { Context } from '../../context.ts'
import { say } from '../../messages/index.ts'

/** Serves the messages and events that development did not send, after those in progress. Production has no such path. */
export function serveOutbox(server: FastifyInstance, { messages, events }: Outbox, { background }: Context): void {
  server.get('/dev/outbox', async ({ language }) => {
    await background.settle()
    return {
      status: true,
      code: 200,
      message: say(language, 'outbox_read'),
      data: {
        messages: messages.map(({ sentAt, ...message }) => ({ ...message, sent_at: sentAt })),
        events,
      },
    }
  })
}
