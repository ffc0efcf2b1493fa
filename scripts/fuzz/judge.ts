// What must hold of every answer.
import { violations, type Received } from '../../test/support/answers.ts'
import { refusedBySchema } from './schema-judge.ts'
import type { FuzzedRequest } from './requests.ts'
import type { Answer, Silence } from './send.ts'

/** What is wrong with an answer; `kind` is the same for all that are wrong in the same way. */
export type Fault = Readonly<{ kind: string; detail: string }>

const judged = new Map<string, readonly string[]>()
const JUDGED_MAX = 20_000

export async function faultsOf(request: FuzzedRequest, answer: Answer | Silence): Promise<Fault[]> {
  const { id } = request.operation
  if ('silence' in answer) return [{ kind: `${id}: the connection ${answer.silence}`, detail: answer.reason }]
  const { status } = answer
  const serverFault = faultOfServer(id, answer)
  if (serverFault) return [serverFault]
  const broken = await violationsOnce(request, answer)
  const reason = status < 300 ? refusedBySchema(request) : undefined
  return [
    ...broken.map((detail) => ({ kind: `${id} ${status}: ${detail.replaceAll(/\d+/g, 'N')}`, detail })),
    ...(reason === undefined ? [] : [{ kind: `${id} ${status}: accepts what the document does not`, detail: reason }]),
  ]
}

const RETRY_SECONDS_MAX = 10

/** When a client is to send again what was answered with 503; undefined where that is not soon. */
export function retryAfterSeconds({ status, headers }: Answer): number | undefined {
  const seconds = Number(headers['retry-after'])
  return status === 503 && seconds > 0 && seconds <= RETRY_SECONDS_MAX ? seconds : undefined
}

function faultOfServer(what: string, answer: Answer): Fault | undefined {
  if (answer.status < 500) return undefined
  const { status, headers } = answer
  return { kind: `${what} ${status} ${headers['error-code'] ?? ''}`.trim(), detail: JSON.stringify(answer.body) }
}

/** Answers that differ in nothing that the document says are judged once. */
async function violationsOnce({ operation }: FuzzedRequest, answer: Answer): Promise<readonly string[]> {
  const { status, headers, body } = answer
  const text = body instanceof Uint8Array ? 'bytes' : JSON.stringify(body)
  const names = Object.keys(headers).sort().join()
  const key = [operation.id, status, headers['content-type'], headers['error-code'], names, text].join(' ')
  const known = judged.get(key)
  if (known) return known
  const found = await violations(operation.id, answer as Received)
  if (judged.size < JUDGED_MAX) judged.set(key, found)
  return found
}

/** What must hold where the document has no operation: an envelope, or a page that is no JSON. */
export function faultsOfOddity(name: string, answer: Answer | Silence, isHead: boolean): Fault[] {
  if ('silence' in answer)
    return answer.silence === 'hangs' ? [{ kind: `${name}: the connection hangs`, detail: answer.reason }] : []
  const serverFault = faultOfServer(name, answer)
  if (serverFault) return [serverFault]
  const { status, headers, body } = answer
  if (isHead || status === 304 || status === 204 || (status < 400 && !isEnvelope(body))) return []
  const wrong = isEnvelope(body)
    ? body.code === status && body.status === status < 400
      ? []
      : [`the envelope has ${body.code} at ${status}`]
    : ['no envelope']
  const missing = ['x-request-id', 'x-content-type-options'].filter((header) => headers[header] === undefined)
  return [...wrong, ...missing.map((header) => `no ${header}`)].map((detail) => ({
    kind: `${name} ${status}: ${detail}`,
    detail,
  }))
}

function isEnvelope(body: unknown): body is { status: boolean; code: number; message: string; data: unknown } {
  return (
    typeof body === 'object' && body !== null && ['status', 'code', 'message', 'data'].every((name) => name in body)
  )
}
