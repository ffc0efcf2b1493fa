import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resetAddress } from '../load/operations.ts'
import { newProfile, newProfileWithPhoto, type Person } from '../load/people.ts'

/** The accounts of the load */
export type People = {
  /** Their names are changed */
  named: Person[]
  /** Their photos are replaced */
  pictured: Person[]
  /** Has a photo that is not replaced */
  framed: Person
}

const PEOPLE = 8
const ADDRESSES = 6000
/** A bcrypt hash, of a password that is not needed */
const HASH = '$2y$10$cMwdKlSVMUy.OVh3/t7JkOPwpOu1JDvWJZagmsz7pF3SYPUJHPETi'

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
  const { PATH = '' } = process.env
  execFileSync(process.execPath, ['dist/service/main.js', 'import', path], {
    env: { PATH, NODE_ENV: 'development', DATABASE_URL: databaseUrl, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
