import { LIMITS } from '../../../generated/limits.ts'
import { enrollmentCodes } from '../../adapters/tokens/factor-codes.ts'
import type { Config } from '../../config/index.ts'
import { formatCode } from '../../domain/factors/second-factor.ts'
import type { AdminAction } from '../../domain/accounts/administration.ts'
import { Failure } from '../../domain/failure.ts'
import { cleanInput } from '../../domain/inputs.ts'
import { composeRemovalMails } from '../../services/factors/reset-notices.ts'
import { requestMail, type Composing } from '../../services/notifications/mail.ts'
import type { Store } from '../../store/index.ts'
import type { Command } from './arguments.ts'
import { CommandError } from '../program.ts'

type Repositories = Pick<Store, 'accounts' | 'administration' | 'users'>
type Settings = Pick<Config, 'administratorsNeedFactor' | 'defaultLanguage'> & {
  /** Returns what composes e-mails, which an instance of the service sends. */
  openMails: () => Composing
}
type AccountCommand = Extract<Command, { name: 'list' } | { email: string } | { account: number | string }>

/** Runs a command about accounts and returns its message. */
export async function runCommand(command: AccountCommand, store: Repositories, settings: Settings): Promise<string> {
  if (command.name === 'list') return listAdministrators(store)
  if ('account' in command) return changeChecked(command.name, command.account, store, settings)
  const email = cleanInput('email', command.email)
  const account = await store.accounts.byEmail(email)
  if (!account) throw new CommandError(`No account has the e-mail address ${email}.`)

  const action = buildAction(account.id, command.name === 'suspend' ? command.reason : null)
  if (command.name === 'enrollment-code') return issueCode(email, action, store, settings)
  const asked = { action, wasActive: account.status === 'active' }
  const hasChanged = await changeAccount(command.name, asked, store, settings)
  const message = `${email} ${OUTCOMES[command.name][hasChanged ? 'changed' : 'unchanged']}.`
  if (command.name !== 'grant' || !settings.administratorsNeedFactor) return message
  return `${message}\n${await describeEnrollment(email, { action, isNew: hasChanged }, store)}`
}

/**
 * Returns what an operator has to do after a grant, so that the administrator can add a second factor. A repeated grant
 * does not replace the code, which the administrator may have received by now.
 */
async function describeEnrollment(
  email: string,
  { action, isNew }: { action: AdminAction; isNew: boolean },
  { administration, users }: Repositories,
): Promise<string> {
  if (isNew) {
    const code = enrollmentCodes.newCode()
    const issued = await administration.issueEnrollmentCode(action, enrollmentCodes.hash(code))
    return issued === 'issued' ? describeCode(code) : HAS_FACTOR
  }
  const stored = (await users.administrators()).find(({ id }) => id === action.accountId)
  return stored?.hasFactor ? HAS_FACTOR : renewal(email)
}

const HAS_FACTOR = 'The account has a second factor, and needs no enrollment code.'
const NOT_REQUIRED =
  'MFA_REQUIRED is not set. Until it is set to administrators, a second factor can be added without this code.'

function renewal(email: string): string {
  return `To print a new enrollment code for it, run npm run admin -- enrollment-code ${email}.`
}

/** Issues an enrollment code, and returns it with what to do with it. */
async function issueCode(
  email: string,
  action: AdminAction,
  { administration }: Repositories,
  { administratorsNeedFactor }: Settings,
): Promise<string> {
  const code = enrollmentCodes.newCode()
  const issued = await administration.issueEnrollmentCode(action, enrollmentCodes.hash(code))
  if (issued === 'not_an_administrator')
    throw new CommandError(`${email} is not an administrator. Only administrators need an enrollment code.`)
  if (issued === 'has_factor') throw new CommandError(`${email} has a second factor. Only the first one needs a code.`)
  return administratorsNeedFactor ? describeCode(code) : `${describeCode(code)}\n\n${NOT_REQUIRED}`
}

function describeCode(code: string): string {
  return `
Enrollment code: ${formatCode(code)}

It is valid once, for ${LIMITS.factors.enrollment_hours} hours, and is not shown again. Earlier codes of the account are invalid now.
Give it to the administrator in person or by phone, not by e-mail. After the next login, the administrator adds a second
factor with it: the application sends it as enrollment_code to PUT /api/v1/auth/totp or POST /api/v1/auth/passkeys.
Second factors that the account had before the grant do not count for the operations of administrators until then.`.trimStart()
}

const OUTCOMES = {
  grant: { changed: 'is now an administrator', unchanged: 'is already an administrator' },
  revoke: { changed: 'is no longer an administrator', unchanged: 'is not an administrator' },
  suspend: { changed: 'is now suspended', unchanged: 'is already suspended' },
  restore: { changed: 'is no longer suspended', unchanged: 'is not suspended' },
}

/** Resolves to whether the state of the account changed. */
async function changeAccount(
  change: keyof typeof OUTCOMES,
  { action, wasActive }: { action: AdminAction; wasActive: boolean },
  { administration }: Repositories,
  { defaultLanguage: language, openMails }: Settings,
): Promise<boolean> {
  if (change === 'grant' || change === 'revoke') return administration.setAdmin(action, change === 'grant')
  if (change === 'suspend') {
    await administration.suspend(action)
    return wasActive
  }
  const request = { client: { address: '', requestId: COMMAND_LINE }, language }
  await administration.restore(action, (email) => requestMail({ kind: 'reset', email }, request, openMails()))
  return !wasActive
}

/** Marks an e-mail address as verified, or removes the second factors, for a user whose identity the operator has checked. */
async function changeChecked(
  name: 'verify-email' | 'reset-factors',
  given: number | string,
  store: Repositories,
  { administratorsNeedFactor, ...settings }: Settings,
): Promise<string> {
  const { accounts, administration, users } = store
  const email = typeof given === 'string' ? cleanInput('email', given) : undefined
  const id = typeof given === 'number' ? given : (await accounts.byEmail(email ?? ''))?.id
  if (id === undefined) throw new CommandError(`No account has the e-mail address ${email}.`)
  const action = buildAction(id, null)
  const change = name === 'verify-email' ? administration.verifyEmail(action) : removeFactors(action, store, settings)
  const hasChanged = await change.catch((error: unknown) => {
    const isUnknown = error instanceof Failure && error.code === 'user_unknown'
    throw isUnknown ? new CommandError(`There is no account with the id ${id}.`) : error
  })
  if (name === 'verify-email') {
    if (!hasChanged) throw new CommandError(`Account ${id} has no e-mail address: its address was released.`)
    return `The e-mail address of account ${id} is now verified.`
  }
  const message = `Account ${id} ${hasChanged ? 'has no second factor any more, and its sessions have ended' : 'has no second factor'}.`
  const administrator = (await users.administrators()).find((each) => each.id === id)
  return administratorsNeedFactor && administrator
    ? `${message} It is an administrator, and cannot use its privileges until it has a new one. ${renewal(administrator.email)}`
    : message
}

/** Removes the second factors of an account, and informs its owner, and the other administrators if it is one of them. */
async function removeFactors(
  action: AdminAction,
  { administration, users }: Repositories,
  { defaultLanguage: language, openMails }: Omit<Settings, 'administratorsNeedFactor'>,
): Promise<boolean> {
  const administrators = await users.administrators()
  const composing = openMails()
  const request = { client: { requestId: COMMAND_LINE }, language }
  return administration.resetFactors(action, (owner, isAdmin) =>
    composeRemovalMails(owner, isAdmin ? administrators : [], request, composing),
  )
}

const COMMAND_LINE = 'command line'

function buildAction(accountId: number, reason: string | null): AdminAction {
  return {
    accountId,
    actor: COMMAND_LINE,
    reason,
    auditContext: { subject: COMMAND_LINE, address: null, requestId: null },
  }
}

async function listAdministrators({ users }: Repositories): Promise<string> {
  const administrators = await users.administrators()
  if (administrators.length === 0) return 'There are no administrators.'
  return administrators
    .map(({ id, email, status, hasFactor }) => {
      const notes = [...(status === 'suspended' ? ['suspended'] : []), ...(hasFactor ? [] : ['no second factor'])]
      return `${String(id).padStart(6)}  ${email}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
    })
    .join('\n')
}
