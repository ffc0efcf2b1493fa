/** The e-mails that wait for the mail server. Notices that wait for their digest do not. */
export const IS_WAITING = 'next_attempt_at IS NOT NULL AND (digest_for IS NULL OR attempts > 0)'
