// A mixed load of accounts at a fixed rate: a request does not wait for the responses to earlier ones.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureOperation, type Load, type Sample } from '../load/load.ts'
import { resetAddress, type Ledger, type OperationName } from '../load/operations.ts'
import { repeat } from '../load/parts.ts'
import { newProfile, newProfileWithPhoto, type Person } from '../load/requests.ts'

/** The operations, with the requests a second of each */
const RATES = {
  getProfile: 10,
  checkToken: 5,
  listLookups: 2,
  patchProfile: 4,
  requestPasswordReset: 3,
  getFile: 2,
  checkPhone: 2,
  login: 1.5,
  uploadPhoto: 1.5,
  register: 0.4,
} satisfies Partial<Record<OperationName, number>>

type Name = keyof typeof RATES
export const OPERATION_NAMES = Object.keys(RATES) as Name[]

/** The accounts of the load: those whose names are changed, those whose photos are replaced, and one whose photo is not */
export type People = { named: Person[]; pictured: Person[]; framed: Person }

const PEOPLE = 8
const ADDRESSES = 6000
/** A bcrypt hash, of a password that is not needed */
const HASH = '$2y$10$cMwdKlSVMUy.OVh3/t7JkOPwpOu1JDvWJZagmsz7pF3SYPUJHPETi'

type Setting = { origins: readonly string[]; people: People; ledger: Ledger; rate: number }

/** Starts the load. Requests alternate between the instances. */
export function startLoad({ origins, people: { named, pictured, framed }, ledger, rate }: Setting): Load {
  const samples: Sample[] = []
  const running = new Set<Promise<void>>()
  /** The accounts of writes, each of which has one that no other write uses */
  const free: Partial<Record<Name, Person[]>> = { patchProfile: [...named], uploadPhoto: [...pictured] }
  let [turn, reader] = [0, 0]
  const start = (operation: Name): void => {
    const list = free[operation]
    const person = list ? list.shift() : operation === 'getFile' ? framed : named[reader++ % named.length]
    if (!person) return // all are busy
    const origin = origins[turn++ % origins.length] ?? ''
    const work = measureOperation(operation, { origin, person, ledger }).then((sample) => {
      samples.push(sample)
      list?.push(person)
      running.delete(work)
    })
    running.add(work)
  }
  const works = OPERATION_NAMES.map((operation) => async (signal: AbortSignal): Promise<void> => {
    start(operation)
    await sleep(1000 / (RATES[operation] * rate), undefined, { signal }).catch(() => undefined)
  })
  const stop = repeat(...works)
  return { samples, stop: () => stop().then(() => Promise.all(running)) }
}

/** Registers accounts with complete profiles, and imports accounts whose e-mail addresses are verified. */
export async function openPeople(origins: readonly string[], databaseUrl: string, folder: string): Promise<People> {
  importAddresses(databaseUrl, folder)
  const [named, pictured]: [Person[], Person[]] = [[], []]
  for (let count = 0; count < PEOPLE; count++) {
    const origin = origins[count % origins.length] ?? '' // each one loads what checks passwords
    named.push(await newProfile(origin))
    pictured.push(await newProfile(origin))
  }
  return { named, pictured, framed: await newProfileWithPhoto(origins[0] ?? '') }
}

function importAddresses(databaseUrl: string, folder: string): void {
  const path = join(folder, 'people.csv')
  const rows = Array.from({ length: ADDRESSES }, (_, at) => {
    const phone = `012${String(at).padStart(8, '0')}`
    return `${resetAddress(at)},${HASH},20,${phone},client,نوف الشهري,true`
  })
  writeFileSync(path, ['email,password_hash,phone_code,phone,account_type,name,email_verified', ...rows].join('\n'))
  execFileSync(process.execPath, ['dist/service/main.js', 'import', path], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'development', DATABASE_URL: databaseUrl, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
