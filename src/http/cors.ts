import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const EXPOSED_HEADERS = [
  'Content-Language',
  'Error-Code',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
]
const PREFLIGHT_SECONDS = 600

/** Lets pages of the listed origins call the service. An OPTIONS that asks for nothing is answered like any other. */
export async function allowOrigins(server: FastifyInstance, origins: string[]): Promise<void> {
  const options: FastifyCorsOptions = {
    origin: origins,
    exposedHeaders: EXPOSED_HEADERS,
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    maxAge: PREFLIGHT_SECONDS,
  }
  await server.register(cors, {
    delegator: (request, done) => done(null, { ...options, preflight: isPreflight(request) }),
  })
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}
