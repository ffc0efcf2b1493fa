import type { OperationId, Schemas } from '../contract.ts'
import { toDownload } from './download.ts'
import { TawthiqError, type FieldError } from '../errors.ts'
import { localMessage } from '../local-messages.ts'
import type { Language } from '../options.ts'
import type { Incoming } from './transport.ts'

type Envelope = { message: string; data: unknown }

/**
 * Returns the data of a successful response.
 *
 * @throws TawthiqError for any other response
 */
export async function readResponse(
  operation: OperationId,
  { response, content }: Incoming,
  language: Language | undefined,
): Promise<unknown> {
  const isJson = content.type.startsWith('application/json')
  if (response.ok && !isJson) return toDownload(response, content)
  const envelope = isJson ? await parse(content) : undefined
  if (response.ok && envelope) return envelope.data

  const { headers, status } = response
  const code = headers.get('error-code')
  const seconds = headers.get('retry-after')
  throw new TawthiqError(code ?? 'unexpected', {
    operation,
    status,
    // a proxy in between has no code, and its text is not for users
    message: code !== null && envelope ? envelope.message : localMessage('unexpected', language),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: seconds === null ? undefined : Number(seconds),
    fields: code === 'invalid_data' ? fieldsIn(envelope?.data) : {},
  })
}

async function parse(content: Blob): Promise<Envelope | undefined> {
  try {
    return JSON.parse(await content.text()) as Envelope // the service validates its responses
  } catch {
    return undefined
  }
}

function fieldsIn(data: unknown): Record<string, FieldError[]> {
  const { errors, codes } = data as Schemas['ValidationErrors'] // what `invalid_data` means
  return Object.fromEntries(
    Object.entries(errors).map(([name, texts]) => [
      name,
      texts.map((text, index) => ({ code: codes[name]?.[index] ?? '', text })),
    ]),
  )
}
