// Sends the envelope where a request does not reach Fastify.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '../../domain/failure.ts'
import { URL_HINTS } from '../request/query-parameters.ts'
import type { ConnectionLimits } from './limits.ts'
import { toBytes, type Bound, type RawResponses } from './raw-response.ts'
import type { StagedClose } from './staged-close.ts'

const CODES_BY_ERROR: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
}

type Tools = { limits: ConnectionLimits; rawResponses: RawResponses; closing: StagedClose }

/** Responds on the bare socket to bytes that Node cannot parse as a request. */
export function clientErrorHandler(tools: Tools): (error: NodeJS.ErrnoException, socket: Socket) => void {
  const { limits, rawResponses, closing } = tools
  const waiting = new WeakSet<Socket>()

  const handle = (error: NodeJS.ErrnoException, socket: Bound): void => {
    const { _httpMessage: response } = socket
    if (closing.isDiscarding(socket))
      closing.close(socket, { forMs: limits.lingerQuietMs }) // it has its response
    else if (closing.isClosing(socket)) return
    else if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else if (response?.req.complete) afterwards(response, error, socket)
    else if (response?.headersSent) socket.destroy()
    else reject(error, socket, response)
  }
  const reject = (error: NodeJS.ErrnoException, socket: Socket, response: Bound['_httpMessage']): void => {
    const code = CODES_BY_ERROR[error.code ?? ''] ?? 'malformed_request'
    const hints = error.code === 'HPE_INVALID_URL' ? URL_HINTS : undefined
    const bytes = toBytes(rawResponses(code, response?.req, hints))
    closing.close(socket, { bytes, forMs: response ? limits.lingerQuietMs : limits.lingerMs })
  }
  /** Waits for the response of the request before the one that has the error. */
  const afterwards = (response: ServerResponse, error: NodeJS.ErrnoException, socket: Socket): void => {
    if (waiting.has(socket)) return // the parser repeats the error for all bytes that follow
    waiting.add(socket)
    response.once('close', () => {
      waiting.delete(socket)
      handle(error, socket)
    })
  }
  return handle
}

/** Handles requests that Node reports before Fastify sees them. */
export function handleServerEvents(server: Server, { limits, rawResponses, closing }: Tools): void {
  // Reading the address once makes Node remember it after the client has disconnected.
  server.on('connection', (socket) => Reflect.get(socket, 'remoteAddress'))
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response) // the route sends 100 Continue when it reads the body
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = rawResponses('expectation_failed', request)
    response.writeHead(status, headers).end(body)
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    closing.close(socket, { bytes: toBytes(rawResponses('method_not_allowed', request)), forMs: limits.lingerMs })
  })
}
