import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage } from 'node:http'
import { Failure, type ErrorCode } from '../../domain/failure.ts'
import { fixedHeaders, type Surroundings } from '../arrival.ts'
import { refusal } from '../envelope.ts'

export type RawAnswer = { status: number; headers: Record<string, string>; body: string }

/** Makes responses for the paths where Fastify does not get to answer. The request is unknown if its head was not read. */
export type RawAnswers = (code: ErrorCode, request?: IncomingMessage) => RawAnswer

type Needed = Pick<Surroundings, 'chooseLanguage' | 'cors' | 'isProduction'>

export function rawAnswers({ chooseLanguage, cors, isProduction }: Needed): RawAnswers {
  const fixed = fixedHeaders({ cors, isProduction })

  return (code, request) => {
    const language = chooseLanguage(request?.headers['accept-language'])
    const { body: envelope, headers } = refusal(new Failure(code), language)
    const status = envelope.code
    const body = JSON.stringify(envelope)
    const own = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'x-request-id': randomUUID(),
      connection: 'close',
      ...(status === 405 && { allow: '' }),
    }
    return { status, headers: { ...fixed, ...cors.headersFor(request?.headers.origin), ...headers, ...own }, body }
  }
}

/** A response as the bytes of HTTP/1.1. */
export function bytesOf({ status, headers, body }: RawAnswer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`
}
