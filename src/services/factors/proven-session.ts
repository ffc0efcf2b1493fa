import type { Context } from '../../context.ts'
import type { AuditContext } from '../../domain/audit/audit-context.ts'
import type { RequestInfo } from '../notifications/mail.ts'
import { announceFactorChange, composeFactorMails } from './notify.ts'

type Store = Context['store']['factors']
type ProvenSession = Parameters<Store['beginSession']>[0]
type Session = Omit<ProvenSession, 'auditEvents' | 'cancelEvent' | 'mails'>

type Occasion = RequestInfo &
  Readonly<{
    event: 'login' | 'reauthenticated'
    email: string
    auditContext: AuditContext
    /** Stores the session */
    begin: (session: ProvenSession) => ReturnType<Store['beginSession']>
  }>

/**
 * Begins a session that a second factor has proven, besides the password or as a passkey, and uses up its proof. The owner is
 * notified of the use of a recovery code.
 *
 * @returns the id of the session; undefined if the proof was used, or the password has changed, since they were compared
 */
export async function beginProven(session: Session, occasion: Occasion, context: Context): Promise<string | undefined> {
  const { event, email, auditContext, begin } = occasion
  const { accountId, proof } = session
  const isRecovery = proof.method === 'recovery_code'
  const about = { accountId, ...auditContext }
  const begun = await begin({
    ...session,
    auditEvents: [{ event, ...about }, ...(isRecovery ? [{ event: 'recovery_code_used', ...about } as const] : [])],
    cancelEvent: { event: 'factor_reset_cancelled', ...about },
    mails: isRecovery ? composeFactorMails('recovery_code_used', { accountId, email }, occasion, context) : [],
  })
  if (begun && isRecovery) announceFactorChange(begun.owner, occasion, context)
  return begun?.sessionId
}
