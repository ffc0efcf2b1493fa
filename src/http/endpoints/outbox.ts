import type { FastifyInstance, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { ServedOutbox } from '../../adapters/outbox.ts'
import { isLoopback } from '../../lib/loopback.ts'
import { withoutBrackets } from '../../lib/networks.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../domain/failure.ts'
import { say } from '../../messages/index.ts'
import { buildOutboxPage, OUTBOX_PAGE_POLICY, toListed } from './outbox-page.ts'

/**
 * Serves the messages and events that development did not send, after those in progress: as JSON, and as a page for
 * browsers. `?to=` selects the messages to one number or address. Production has no such path.
 */
export function serveOutbox(server: FastifyInstance, { outbox, isLocal }: ServedOutbox, { background }: Context): void {
  server.get<{ Querystring: { to?: string } }>('/dev/outbox', async (request, reply) => {
    if (isLocal) requireLocalName(request)
    await background.settle()
    const { to } = request.query
    const messages = outbox.messages.filter((message) => to === undefined || message.to === to).map(toListed)
    const { events } = outbox
    reply.header('vary', 'accept')
    if (new Negotiator(request.raw).mediaType(['application/json', 'text/html']) === 'text/html') {
      return reply
        .type('text/html; charset=utf-8')
        .headers({ 'content-security-policy': OUTBOX_PAGE_POLICY, 'content-language': 'en' })
        .send(buildOutboxPage({ messages, events, to }))
    }
    return { status: true, code: 200, message: say(request.language, 'outbox_read'), data: { messages, events } }
  })
}

/**
 * Rejects requests under another name than that of this machine. Otherwise, a website could make its name point to this
 * machine (DNS rebinding) and read codes in the browser of the developer.
 */
function requireLocalName({ hostname }: FastifyRequest): void {
  if (!isLoopback(withoutBrackets(hostname))) throw new Failure('route_unknown')
}
