import type { SmsProvider } from './index.ts'

/**
 * Adds the line by which browsers offer the code to pages of one host, and to no other. It must be the last line. Only SMS
 * can have it.
 *
 * @param host undefined: no line is added
 * @see https://wicg.github.io/sms-one-time-codes/
 */
export function withWebOtp(host: string | undefined, provider: SmsProvider): SmsProvider {
  if (host === undefined) return provider
  return {
    ...provider,
    send(message, timeoutMs) {
      const { channel, code, text } = message
      const isBound = channel === 'sms' && code !== undefined
      return provider.send(isBound ? { ...message, text: `${text}\n\n@${host} #${code}` } : message, timeoutMs)
    },
  }
}
