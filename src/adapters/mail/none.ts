import type { Mail } from './smtp.ts'

/** For installations without a mail server */
export const noMail: Mail = {
  isOffered: false,
  send: () => Promise.reject(new Error('no mail server is configured')),
  close: () => undefined,
}
