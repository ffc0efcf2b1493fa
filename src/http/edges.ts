import type { FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Failure, type ErrorCode } from '../domain/failure.ts'
import type { Language } from '../messages/index.ts'
import { refusal } from './envelope.ts'

// The envelope on the paths where Fastify's router and its error handler do not get to say anything.

type RawError = NodeJS.ErrnoException & { bytesParsed?: number }

const CODE_OF_ERROR: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
}

/** Answers what the parser of Node cannot read as a request, on the bare socket. */
export function clientErrorHandler(language: Language): (error: RawError, socket: Duplex) => void {
  return (error, socket) => {
    const isHalfAnswered = (socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true
    if (error.code === 'ECONNRESET' || isHalfAnswered || !socket.writable) socket.destroy()
    else endWith(socket, CODE_OF_ERROR[error.code ?? ''] ?? 'malformed_request', language)
  }
}

/** What Node tells of connections and of requests before Fastify has them. */
export function answerServerEvents(server: FastifyInstance, language: Language): void {
  // A socket that was asked remembers who its client was, also when the client has left.
  server.server.on('connection', (socket) => Reflect.get(socket, 'remoteAddress'))
  server.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    server.server.emit('request', request, response) // whose body is asked for when it is wanted
  })
  server.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = rawAnswer('expectation_failed', language)
    response.writeHead(status, headers).end(body)
  })
  server.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    endWith(socket, 'method_not_allowed', language)
  })
}

function endWith(socket: Duplex, code: ErrorCode, language: Language): void {
  const { status, headers, body } = rawAnswer(code, language)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
}

function rawAnswer(
  code: ErrorCode,
  language: Language,
): { status: number; headers: Record<string, string>; body: string } {
  const { body: envelope, headers } = refusal(new Failure(code), language)
  const body = JSON.stringify(envelope)
  const status = envelope.code
  const own = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': randomUUID(),
    connection: 'close',
    ...(status === 405 && { allow: '' }),
  }
  return { status, headers: { ...headers, ...own }, body }
}
