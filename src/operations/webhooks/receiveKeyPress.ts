import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'

export const receiveKeyPress: Operation<'receiveKeyPress'> = async (
  { path: { provider }, query: { call }, body, signed, client, rateLimiter, reply },
  { smsReceipts, keyPresses },
) => {
  const reader = smsReceipts.get(provider)
  if (!reader) throw new Failure('sms_provider_unknown')
  if (!reader.isGenuine({ ...signed, fields: body })) {
    await rateLimiter.consume({ policy: RATE_LIMITS['receipt-signatures'], key: client.network })
    throw new Failure('signature_wrong')
  }
  return reply({
    ...keyPresses.answer(call, body['Digits']),
    type: 'application/xml',
    disposition: 'inline',
    filename: 'call.xml',
    isStorable: false,
  })
}
