// Logins, and changes of an account that decide which sessions it may have.
import { loginAssertion, newPasskey, passkeyOwner, type Passkey } from './authenticator.ts'
import { resetLink } from './resets.ts'
import { begin, codeAt, protectedPerson } from './second-factors.ts'
import { userPath } from '../cases/administration.ts'
import type { Received } from '../service/responses.ts'
import { there } from '../timing/two-instances.ts'
import { PASSWORD, type Person, type World } from '../service/world.ts'

export type LoginKind = 'password' | 'password and code of an app' | 'password and recovery code' | 'passkey'
export type Change =
  | 'request for deletion'
  | 'reset of the password'
  | 'suspension'
  | 'app as the first factor'
  | 'passkey as the first factor'

export type Owner = Readonly<{
  person: Person
  /** A session that began before */
  token: string
  /** Returns the code of a login by its number; undefined without a second factor */
  codeOf(at: number): string | undefined
  passkey?: Passkey
}>

/** A change that is ready to be sent */
export type Prepared = Readonly<{
  send(): Promise<Received>
  /** The passkey that it adds */
  passkey?: Passkey
}>

type Login = Readonly<{
  prepare(world: World): Promise<Owner>
  /**
   * Prepares a login, to one instance or the other.
   *
   * @param at its number among those at the same time
   */
  ready(world: World, owner: Owner, at: number, added: Passkey | undefined): Promise<() => Promise<Received>>
}>

const send = (world: World, at: number, id: 'login' | 'loginWithPasskey'): ReturnType<World['send']> =>
  at % 2 === 0 ? there(world, id) : world.send(id)

function withPassword(prepare: Login['prepare']): Login {
  return {
    prepare,
    ready(world, { person: { email }, codeOf }, at) {
      const json = { email, password: PASSWORD, code: codeOf(at) }
      return Promise.resolve(() => send(world, at, 'login')({ json }))
    },
  }
}

export const LOGINS: Readonly<Record<LoginKind, Login>> = {
  password: withPassword(async (world) => {
    const person = await world.person()
    return { person, token: await person.token(), codeOf: () => undefined }
  }),
  'password and code of an app': withPassword(async (world) => {
    const { person, token, nextCode } = await protectedPerson(world)
    const code = nextCode()
    return { person, token, codeOf: () => code }
  }),
  'password and recovery code': withPassword(async (world) => {
    const { person, token, recoveryCodes } = await protectedPerson(world)
    return { person, token, codeOf: (at) => recoveryCodes[at] }
  }),
  passkey: {
    async prepare(world) {
      const person = await world.person()
      const { token, passkey } = await passkeyOwner(world, {}, person)
      return { person, token, passkey, codeOf: () => undefined }
    },
    async ready(world, { passkey: own }, at, added) {
      const used = at % 2 === 0 && added ? added : own
      if (!used) throw new Error('the owner has no passkey')
      const json = await loginAssertion(world, used)
      return () => send(world, at, 'loginWithPasskey')({ json })
    },
  },
}

type ChangeOf = Readonly<{
  /** The audit event that it records */
  event: string
  /** How many sessions it leaves */
  leaves: 0 | 1
  prepare(world: World, owner: Owner): Promise<Prepared>
}>

export const CHANGES: Readonly<Record<Change, ChangeOf>> = {
  'request for deletion': {
    event: 'deletion_requested',
    leaves: 0,
    prepare: (world, { token }) =>
      Promise.resolve({ send: () => world.send('requestAccountDeletion')({ token, json: { password: PASSWORD } }) }),
  },
  'reset of the password': {
    event: 'password_reset',
    leaves: 0,
    async prepare(world, { person }) {
      const json = { by: 'email', token: await resetLink(world, person), password: 'olive3kayak' }
      return { send: () => world.send('resetPassword')({ json }) }
    },
  },
  suspension: {
    event: 'user_suspended',
    leaves: 0,
    async prepare(world, { person }) {
      const token = await (await world.person({ isAdmin: true })).token()
      const json = { reason: 'stolen' }
      return { send: () => world.send('adminSuspendUser')({ ...userPath(person), json, token }) }
    },
  },
  'app as the first factor': {
    event: 'totp_added',
    leaves: 1,
    async prepare(world, owner) {
      await endFactors(world, owner)
      const { token } = owner
      const { secret } = await begin(world, token)
      const json = { code: codeAt(secret, world.service.clock.nowMs()) }
      return { send: () => world.send('confirmTotp')({ token, json }) }
    },
  },
  'passkey as the first factor': {
    event: 'passkey_added',
    leaves: 1,
    async prepare(world, owner) {
      await endFactors(world, owner)
      const { token } = owner
      const { passkey, json } = await newPasskey(world, token)
      return { passkey, send: () => world.send('addPasskey')({ token, json }) }
    },
  },
}

/**
 * Ends the factors of an owner by a reset before the present session, so that the next one is the first one again. What remains of them is
 * stored.
 */
async function endFactors({ service: { database, clock } }: World, { person: { id } }: Owner): Promise<void> {
  const nowMs = clock.nowMs()
  const factorsResetAt = new Date(nowMs - 1000)
  const having = { id, factorsSince: { not: null } }
  await database.prisma.session.updateMany({ where: { accountId: id }, data: { createdAt: new Date(nowMs) } })
  await database.prisma.account.updateMany({ where: having, data: { factorsResetAt } })
}
