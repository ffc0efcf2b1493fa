import { RATE_LIMITS } from '../../../generated/rate-limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { Failure } from '../../domain/failure.ts'

export const receiveSmsReceipt: Operation<'receiveSmsReceipt'> = async (
  { path: { provider }, body, signed, client, rateLimiter, reply },
  { smsReceipts, store },
) => {
  const reader = smsReceipts.get(provider)
  if (!reader) throw new Failure('sms_provider_unknown')
  const request = { ...signed, fields: body }
  if (!reader.isGenuine(request)) {
    await rateLimiter.consume({ policy: RATE_LIMITS['receipt-signatures'], key: client.network })
    throw new Failure('signature_wrong')
  }
  const receipts = reader.read(request)
  if (receipts.length > 0) await store.smsMessages.receive(provider, receipts)
  return reply(null)
}
