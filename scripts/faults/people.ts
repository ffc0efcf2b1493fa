import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newProfile, type Account } from '../bench/requests.ts'
import { newPhoto, profileForm } from './forms.ts'
import { send } from './send.ts'

/** The accounts of the load */
export type People = {
  /** Their names are changed */
  named: Account[]
  /** Their photos are replaced */
  pictured: Account[]
  /** Has a photo that is not replaced */
  framed: Account
  /** Returns an address that no reset was requested for yet. */
  nextAddress(): string
}

const PEOPLE = 8
/** At most one reset for each, because a further one makes the e-mail of the first one obsolete */
const ADDRESSES = 6000
const TRIES_MAX = 10
/** A bcrypt hash, of a password that is not needed */
const HASH = '$2y$10$cMwdKlSVMUy.OVh3/t7JkOPwpOu1JDvWJZagmsz7pF3SYPUJHPETi'

/** Registers accounts with complete profiles, and imports accounts whose e-mail addresses are verified. */
export async function openPeople(origins: readonly string[], databaseUrl: string, folder: string): Promise<People> {
  const addresses = importAddresses(databaseUrl, folder)
  const [named, pictured]: [Account[], Account[]] = [[], []]
  for (let count = 0; count < PEOPLE; count++) {
    const origin = origins[count % origins.length] ?? '' // each one loads what checks passwords
    named.push(await register(origin))
    pictured.push(await register(origin))
  }
  return {
    named,
    pictured,
    framed: await registerWithPhoto(origins[0] ?? ''),
    nextAddress() {
      const address = addresses.pop()
      if (address === undefined) throw new Error(`${ADDRESSES} addresses are not enough`)
      return address
    },
  }
}

/** Registers an account. A busy machine needs several attempts, because the check of a password has a deadline. */
async function register(origin: string): Promise<Account> {
  for (let tries = 1; ; tries++) {
    try {
      return await newProfile(origin, 'client')
    } catch (error) {
      if (tries === TRIES_MAX) throw error
    }
  }
}

async function registerWithPhoto(origin: string): Promise<Account> {
  const account = await register(origin)
  const { bytes } = await newPhoto()
  const form = profileForm(account, bytes)
  const { status } = await send(`${origin}/api/v1/profile`, { method: 'PUT', token: account.token, form })
  if (status !== 200) throw new Error(`a photo was rejected with ${status}`)
  return account
}

function importAddresses(databaseUrl: string, folder: string): string[] {
  const addresses = Array.from({ length: ADDRESSES }, (_, at) => `reset-${at}@example.org`)
  const path = join(folder, 'people.csv')
  const rows = addresses.map((email, at) => {
    const phone = `012${String(at).padStart(8, '0')}`
    return `${email},${HASH},20,${phone},client,نوف الشهري,true`
  })
  writeFileSync(path, ['email,password_hash,phone_code,phone,account_type,name,email_verified', ...rows].join('\n'))
  const { PATH = '' } = process.env
  const env = { PATH, DATABASE_URL: databaseUrl, DATA_DIR: folder }
  execFileSync(process.execPath, ['dist/service/main.js', 'import', path], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return addresses
}
