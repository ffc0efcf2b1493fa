import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '../domain/failure.ts'
import type { ConnectionLimits } from './connections/limits.ts'
import { bytesOf, type RawAnswers } from './connections/raw-answer.ts'
import type { StagedClose } from './connections/staged-close.ts'

// The envelope on the paths where Fastify's router and its error handler do not get to say anything.

type RawError = NodeJS.ErrnoException & { bytesParsed?: number }

const CODE_OF_ERROR: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
}

type Tools = { limits: ConnectionLimits; answers: RawAnswers; closing: StagedClose }

/** Node's name for the response that a socket is bound to */
type Bound = Socket & { _httpMessage?: (ServerResponse & { req: IncomingMessage }) | null }

/** Answers what the parser of Node cannot read as a request, on the bare socket. */
export function clientErrorHandler({ limits, answers, closing }: Tools): (error: RawError, socket: Socket) => void {
  const waiting = new WeakSet<Socket>()

  const handle = (error: RawError, socket: Bound): void => {
    const { _httpMessage: response } = socket
    if (closing.isDiscarding(socket))
      closing.close(socket, { forMs: limits.lingerQuietMs }) // it has its response
    else if (closing.isClosing(socket)) return
    else if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (response?.req.complete) afterwards(response, error, socket)
    else if (response?.headersSent) socket.destroy()
    else {
      const code = CODE_OF_ERROR[error.code ?? ''] ?? 'malformed_request'
      const bytes = bytesOf(answers(code, response?.req))
      closing.close(socket, { bytes, forMs: response ? limits.lingerQuietMs : limits.lingerMs })
    }
  }
  /** The error is in what follows a request that is answered first. */
  const afterwards = (response: ServerResponse, error: RawError, socket: Socket): void => {
    if (waiting.has(socket)) return // the parser says it again of all that follows
    waiting.add(socket)
    response.once('close', () => {
      waiting.delete(socket)
      handle(error, socket)
    })
  }
  return handle
}

/** What Node tells of connections and of requests before Fastify has them. */
export function answerServerEvents(server: Server, { limits, answers, closing }: Tools): void {
  // A socket that was asked remembers who its client was, also when the client has left.
  server.on('connection', (socket) => Reflect.get(socket, 'remoteAddress'))
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response) // whose body is asked for when it is wanted
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = answers('expectation_failed', request)
    response.writeHead(status, headers).end(body)
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    closing.close(socket, { bytes: bytesOf(answers('method_not_allowed', request)), forMs: limits.lingerMs })
  })
}
