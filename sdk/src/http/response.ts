import type { FieldErrors, OperationId, Schemas } from '../contract.ts'
import { toDownload } from './download.ts'
import { TawthiqError, toFieldError, type FactorMethod } from '../errors.ts'
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
  if (typeof content !== 'string') return toDownload(response, content)
  const envelope = parse(content)
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
    methods: (headers.get('mfa-methods')?.match(/\w+/g) ?? []) as FactorMethod[], // the document has no list of them
  })
}

function parse(content: string): Envelope | undefined {
  try {
    return JSON.parse(content) as Envelope // the service validates its responses
  } catch {
    return undefined
  }
}

function fieldsIn(data: unknown): FieldErrors<OperationId> {
  const { errors, codes } = data as Schemas['ValidationErrors'] // what `invalid_data` means
  return Object.fromEntries(
    Object.entries(errors).map(([name, texts]) => [
      name,
      texts.map((text, index) => toFieldError(codes[name]?.[index] ?? '', text)),
    ]),
  )
}
