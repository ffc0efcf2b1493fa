import { normaliseEmail } from '../domain/account.ts'
import type { Deed } from '../domain/administration.ts'
import { Failure } from '../domain/failure.ts'
import type { Store } from '../store/index.ts'
import type { Command } from './arguments.ts'
import { Impossible } from './errors.ts'

type Parts = Pick<Store, 'accounts' | 'administration' | 'users'>

/** Does what the operator wants with accounts; gives what is said then. */
export async function perform(
  command: Exclude<Command, { name: 'help' | 'rotate-keys' | 'sweep-files' | 'adopt-files' | 'verify-audit' }>,
  store: Parts,
): Promise<string> {
  if (command.name === 'list') return list(store)
  if (command.name === 'verify-email') return verifyEmail(command.account, store)
  const email = normaliseEmail(command.email)
  const account = await store.accounts.credentialsByEmail(email)
  if (!account) throw new Impossible(`No account has the e-mail address ${email}.`)

  const deed = deedOf(account.id, command.name === 'suspend' ? command.reason : null)
  const { administration } = store
  switch (command.name) {
    case 'grant': {
      const isNew = await administration.setAdmin(deed, true)
      return isNew ? `${email} is an administrator now.` : `${email} is an administrator already.`
    }
    case 'revoke': {
      const isNew = await administration.setAdmin(deed, false)
      return isNew ? `${email} is no administrator any more.` : `${email} is no administrator.`
    }
    case 'suspend':
      await administration.suspend(deed)
      return account.status === 'active' ? `${email} is suspended now.` : `${email} is suspended already.`
    case 'restore':
      await administration.restore(deed)
      return account.status === 'active' ? `${email} is not suspended.` : `${email} may be used again.`
  }
}

/** For a user who cannot read the e-mail, and whose identity the operator has checked. */
async function verifyEmail(given: number | string, { accounts, administration }: Parts): Promise<string> {
  const email = typeof given === 'string' ? normaliseEmail(given) : undefined
  const id = typeof given === 'number' ? given : (await accounts.credentialsByEmail(email ?? ''))?.id
  if (id === undefined) throw new Impossible(`No account has the e-mail address ${email}.`)
  await administration.verifyEmail(deedOf(id, null)).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'user_unknown'
      ? new Impossible(`There is no account ${id}.`)
      : error
  })
  return `The e-mail address of the account ${id} is verified now.`
}

function deedOf(accountId: number, reason: string | null): Deed {
  return {
    accountId,
    actor: 'command line',
    reason,
    trace: { subject: 'command line', address: null, requestId: null },
  }
}

async function list({ users }: Parts): Promise<string> {
  const administrators = await users.administrators()
  if (administrators.length === 0) return 'There are no administrators.'
  return administrators
    .map(
      ({ id, email, status }) => `${String(id).padStart(6)}  ${email}${status === 'suspended' ? ' (suspended)' : ''}`,
    )
    .join('\n')
}
