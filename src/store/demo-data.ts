// The statements that every start runs for the demo accounts. Prisma would load its query compiler for them.
import type { Prisma } from '../../generated/prisma/client.ts'
import type { FileObject } from '../domain/files/file.ts'
import type { LawyerDetails } from '../domain/profiles/profile.ts'
import { execute, query, queryOnlyRow, queryRow, queryRows, snakeCase, table, type Driver } from '../database/sql.ts'
import type { Database } from '../database/index.ts'
import { inTransaction } from '../database/transaction.ts'
import { takenField } from '../database/unique-conflicts.ts'
import { toLawyerRow } from './profiles/write-profile.ts'

export const DEMO_PASSWORD = 'Tawthiq-demo-1'
/** The bcrypt hash of DEMO_PASSWORD, precomputed so that the first start does not wait for it. */
const PASSWORD_HASH = '$2b$10$cMwdKlSVMUy.OVh3/t7JkOPwpOu1JDvWJZagmsz7pF3SYPUJHPETi'

type DemoAccount = Omit<Prisma.AccountCreateManyInput, 'passwordHash'> & {
  profile: Prisma.ProfileUncheckedCreateWithoutAccountInput
  lawyer?: LawyerDetails
  isEmailVerified?: boolean
}

const LAWYER_EMAIL = 'lawyer@demo.test'
export const LAWYER: LawyerDetails = {
  firstName: 'عبدالله',
  secondName: 'محمد',
  thirdName: 'سعد',
  fourthName: 'القحطاني',
  about: 'محامٍ متخصص في القضايا التجارية.',
  nationalId: '1012345672',
  identityType: 1,
  birthDate: { day: 17, month: 5, year: 1988 },
  degreeId: 1,
  otherDegree: null,
  generalSpecialtyId: 1,
  accurateSpecialtyId: 102,
  functionalCaseId: 1,
  companyName: null,
  companyLicencesNo: null,
  licences: { 101: '38/1234' },
  languages: [8, 37],
}

const ADDRESS = {
  countryId: 682,
  regionId: 1,
  cityId: 1,
  nationalityId: 682,
  longitude: 46.6753,
  latitude: 24.7136,
  type: 1,
}

/** The accounts of a new development database. Of their e-mail addresses, only the administrator's is verified. */
export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  {
    email: 'client@demo.test',
    phone: '+966500000001',
    phoneCode: '966',
    accountType: 'client',
    profile: { name: 'سارة العتيبي', gender: 'Female', ...ADDRESS },
  },
  {
    email: LAWYER_EMAIL,
    phone: '+966500000002',
    phoneCode: '966',
    accountType: 'lawyer',
    profile: { name: 'عبدالله محمد سعد القحطاني', gender: 'Male', ...ADDRESS },
    lawyer: LAWYER,
  },
  {
    email: 'admin@demo.test',
    phone: '+966500000003',
    phoneCode: '966',
    accountType: 'client',
    isAdmin: true,
    isEmailVerified: true,
    profile: { name: 'نورة الحربي', gender: 'Female', ...ADDRESS },
  },
]

const EMAILS = DEMO_ACCOUNTS.map(({ email }) => email)

/** Returns whether a demo account still has the public demo password. */
export async function hasDemoAccounts({ pool }: Database): Promise<boolean> {
  return (await execute(pool, UNCHANGED, EMAILS, PASSWORD_HASH)) > 0
}

/**
 * Adds the demo accounts to a database without other accounts. A database with real accounts could be a production
 * database of a service that was started without NODE_ENV.
 *
 * @returns whether the demo accounts exist, or one of them in a database that has been used
 */
export async function addDemoAccounts(database: Database): Promise<boolean> {
  const { pool } = database
  const present = await queryRows(pool, PRESENT, EMAILS)
  const missing = DEMO_ACCOUNTS.filter(({ email }) => !present.some((account) => account.email === email))
  if (missing.length === 0) return true
  if ((await execute(pool, OTHERS, EMAILS)) > 0) return hasDemoAccounts(database)

  await inTransaction(pool, async (connection) => {
    for (const account of missing) await addAccount(connection, account)
  }).catch((error: unknown) => {
    if (!takenField(error)) throw error // another instance has added them
  })
  return true
}

/**
 * Adds an account with a verified number. A transaction of Prisma has a time limit, which a first start on a slow machine exceeds
 * while it loads the query compiler.
 */
export async function addAccount(
  connection: Driver,
  { profile, lawyer, isEmailVerified, ...account }: DemoAccount,
  passwordHash = PASSWORD_HASH,
): Promise<void> {
  const now = new Date()
  const verified = {
    phoneVerifiedAt: now,
    phoneRecoversFrom: now,
    ...(isEmailVerified === true && { emailVerifiedAt: now, emailRecoversFrom: now }),
  }
  await insert(connection, 'accounts', { ...account, passwordHash, ...verified })
  const { id: accountId } = await queryOnlyRow(connection, ID, account.email)
  await insert(connection, 'profiles', { accountId, ...profile })
  if (!lawyer) return
  await insert(connection, 'lawyer_profiles', { accountId, ...toLawyerRow(lawyer) })
  for (const [sectionId, licenceNo] of Object.entries(lawyer.licences)) {
    await insert(connection, 'lawyer_licences', { accountId, sectionId, licenceNo })
  }
  for (const languageId of lawyer.languages) await insert(connection, 'lawyer_languages', { accountId, languageId })
}

async function insert(connection: Driver, name: string, row: object): Promise<void> {
  const columns = Object.entries<unknown>({ ...row }).map(([field, value]) => [snakeCase(field), value] as const)
  const list = columns.map(([column]) => column).join(', ')
  const text = `INSERT INTO ${name} (${list}) SELECT ${list} FROM jsonb_populate_record(NULL::${name}, $1::jsonb)`
  await connection.query({ text, values: [JSON.stringify(Object.fromEntries(columns))] })
}

/** Adds the required documents of the demo lawyer, all or none. `put` writes one into the file store. */
export async function addDemoFiles(
  { pool, prisma }: Database,
  put: () => Promise<Pick<FileObject, 'key' | 'type' | 'bytes'>>,
): Promise<void> {
  const lawyer = await queryRow(pool, LAWYER_WITHOUT_FILES, LAWYER_EMAIL, PASSWORD_HASH)
  if (!lawyer) return
  const kinds = ['national_id_image', 'degree_certificate'] as const
  const data = await Promise.all(
    kinds.map(async (kind) => {
      return { accountId: lawyer.id, kind, ...(await put()) }
    }),
  )
  await prisma.file.createMany({ data, skipDuplicates: true }) // another instance may have added them
}

const demo = table('Account', 'a')

const ID = query<{ id: number }>({ id: demo.id }, (list) => `SELECT ${list} FROM accounts a WHERE a.email = $1`)
/** An account besides those of some e-mail addresses */
const OTHERS = 'SELECT 1 FROM accounts WHERE email <> ALL($1) LIMIT 1'
/** The accounts of some e-mail addresses that have a password hash */
const UNCHANGED = 'SELECT 1 FROM accounts WHERE email = ANY($1) AND password_hash = $2'
/** The accounts of some e-mail addresses */
const PRESENT = query<{ email: string }>(
  { email: demo.email },
  (list) => `SELECT ${list} FROM accounts a WHERE a.email = ANY($1)`,
)
/** The account of an e-mail address and a password hash, if it has no files */
const LAWYER_WITHOUT_FILES = query<{ id: number }>(
  { id: demo.id },
  (list) => `
    SELECT ${list} FROM accounts a
    WHERE a.email = $1 AND a.password_hash = $2 AND NOT EXISTS (SELECT FROM files f WHERE f.account_id = a.id)`,
)
