import { normaliseEmail } from '../../domain/accounts/account.ts'
import type { AdminAction } from '../../domain/accounts/administration.ts'
import { Failure } from '../../domain/failure.ts'
import type { Store } from '../../store/index.ts'
import type { Command } from './command.ts'
import { CommandError } from '../errors.ts'

type Repositories = Pick<Store, 'accounts' | 'administration' | 'users'>

/** Runs a command about accounts and returns its message. */
export async function runCommand(
  command: Extract<
    Command,
    { name: 'list' | 'grant' | 'revoke' | 'restore' | 'verify-email' | 'reset-factors' | 'suspend' }
  >,
  store: Repositories,
): Promise<string> {
  if (command.name === 'list') return listAdministrators(store)
  if ('account' in command) return changeChecked(command.name, command.account, store)
  const email = normaliseEmail(command.email)
  const account = await store.accounts.byEmail(email)
  if (!account) throw new CommandError(`No account has the e-mail address ${email}.`)

  const action = buildAction(account.id, command.name === 'suspend' ? command.reason : null)
  const hasChanged = await changeAccount(command.name, { action, wasActive: account.status === 'active' }, store)
  return `${email} ${hasChanged ? CHANGED[command.name] : UNCHANGED[command.name]}.`
}

type Change = 'grant' | 'revoke' | 'suspend' | 'restore'

const CHANGED: Readonly<Record<Change, string>> = {
  grant: 'is now an administrator',
  revoke: 'is no longer an administrator',
  suspend: 'is now suspended',
  restore: 'is no longer suspended',
}
const UNCHANGED: Readonly<Record<Change, string>> = {
  grant: 'is already an administrator',
  revoke: 'is not an administrator',
  suspend: 'is already suspended',
  restore: 'is not suspended',
}

/** Resolves to whether the state of the account changed. */
async function changeAccount(
  change: Change,
  { action, wasActive }: { action: AdminAction; wasActive: boolean },
  { administration }: Repositories,
): Promise<boolean> {
  if (change === 'grant' || change === 'revoke') return administration.setAdmin(action, change === 'grant')
  await administration[change](action)
  return change === 'suspend' ? wasActive : !wasActive
}

/** Marks an e-mail address as verified, or removes the second factors, for a user whose identity the operator has checked. */
async function changeChecked(
  name: 'verify-email' | 'reset-factors',
  given: number | string,
  { accounts, administration }: Repositories,
): Promise<string> {
  const email = typeof given === 'string' ? normaliseEmail(given) : undefined
  const id = typeof given === 'number' ? given : (await accounts.byEmail(email ?? ''))?.id
  if (id === undefined) throw new CommandError(`No account has the e-mail address ${email}.`)
  const action = buildAction(id, null)
  const change = name === 'verify-email' ? administration.verifyEmail(action) : administration.resetFactors(action)
  const hasChanged = await change.catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'user_unknown'
      ? new CommandError(`There is no account with the id ${id}.`)
      : error
  })
  if (name === 'verify-email') return `The e-mail address of account ${id} is now verified.`
  return `Account ${id} ${hasChanged ? 'has no second factor any more, and its sessions have ended' : 'has no second factor'}.`
}

function buildAction(accountId: number, reason: string | null): AdminAction {
  return {
    accountId,
    actor: 'command line',
    reason,
    auditContext: { subject: 'command line', address: null, requestId: null },
  }
}

async function listAdministrators({ users }: Repositories): Promise<string> {
  const administrators = await users.administrators()
  if (administrators.length === 0) return 'There are no administrators.'
  return administrators
    .map(
      ({ id, email, status }) => `${String(id).padStart(6)}  ${email}${status === 'suspended' ? ' (suspended)' : ''}`,
    )
    .join('\n')
}
