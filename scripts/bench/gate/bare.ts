// Bare Fastify routes that return constants, in a process of their own. PUT /constant/<name> sets one.
import fastify from 'fastify'

const answers = new Map<string, unknown>()
const server = fastify({ bodyLimit: 10_000_000 })
type Named = { Params: { name: string } }
server.get<Named>('/constant/:name', ({ params: { name } }) => answers.get(name))
server.put<Named & { Body: { answer: unknown } }>('/constant/:name', ({ params: { name }, body }, reply) => {
  answers.set(name, body.answer)
  return reply.code(204).send()
})
await server.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
