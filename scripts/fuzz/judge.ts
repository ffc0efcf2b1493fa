// Rules that every response must satisfy.
import { violations, type Received } from '../../test/support/service/responses.ts'
import { refusedBySchema } from './schema-judge.ts'
import type { FuzzedRequest } from './requests.ts'
import type { Reply, Silence } from './send.ts'

/** A fault of a response; `kind` is the same for all faults of the same cause. */
export type Fault = Readonly<{ kind: string; detail: string }>

const judged = new Map<string, readonly string[]>()
const JUDGED_MAX = 20_000

export async function findFaults(request: FuzzedRequest, answer: Reply | Silence): Promise<Fault[]> {
  const { id } = request.operation
  if ('silence' in answer) return [{ kind: `${id}: the connection ${answer.silence}`, detail: answer.reason }]
  const { status } = answer
  const serverFault = findServerFault(id, answer)
  if (serverFault) return [serverFault]
  const broken = await findViolations(request, answer)
  const reason = status < 300 ? refusedBySchema(request) : undefined
  return [
    ...broken.map((detail) => ({ kind: `${id} ${status}: ${detail.replaceAll(/\d+/g, 'N')}`, detail })),
    ...(reason === undefined ? [] : [{ kind: `${id} ${status}: accepts what the document does not`, detail: reason }]),
  ]
}

function findServerFault(what: string, { status, headers, body }: Reply): Fault | undefined {
  if (status < 500) return undefined
  return { kind: `${what} ${status} ${headers['error-code'] ?? ''}`.trim(), detail: JSON.stringify(body) }
}

/** Answers that differ in nothing that the document says are judged once. */
async function findViolations({ operation }: FuzzedRequest, answer: Reply): Promise<readonly string[]> {
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

/** Returns the faults of a response without an operation: it must be an envelope, or a page other than JSON. */
export function findOddityFaults(name: string, answer: Reply | Silence, isHead: boolean): Fault[] {
  if ('silence' in answer)
    return answer.silence === 'hangs' ? [{ kind: `${name}: the connection hangs`, detail: answer.reason }] : []
  const serverFault = findServerFault(name, answer)
  if (serverFault) return [serverFault]
  const { status, headers, body } = answer
  if (isHead || status === 304 || status === 204 || (status < 400 && !isEnvelope(body))) return []
  const faults = ['x-request-id', 'x-content-type-options']
    .filter((header) => headers[header] === undefined)
    .map((header) => `no ${header}`)
  if (!isEnvelope(body)) faults.unshift('no envelope')
  else if (body.code !== status || body.status !== status < 400)
    faults.unshift(`the envelope has ${body.code} at ${status}`)
  return faults.map((detail) => ({ kind: `${name} ${status}: ${detail}`, detail }))
}

function isEnvelope(body: unknown): body is { status: boolean; code: number; message: string; data: unknown } {
  const members = ['status', 'code', 'message', 'data']
  return typeof body === 'object' && body !== null && members.every((name) => name in body)
}
