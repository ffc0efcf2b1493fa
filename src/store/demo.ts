import type { Prisma } from '../../generated/prisma/client.ts'
import type { Database } from './database.ts'

export const DEMO_PASSWORD = 'Tawthiq-demo-1'
/** Its bcrypt hash: a first start need not wait for one. */
const PASSWORD_HASH = '$2b$10$cMwdKlSVMUy.OVh3/t7JkOPwpOu1JDvWJZagmsz7pF3SYPUJHPETi'

type DemoAccount = Omit<Prisma.AccountCreateManyInput, 'passwordHash'> & {
  profile: Omit<Prisma.ProfileCreateManyInput, 'accountId'>
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

const PHONE = { phoneCode: '966', phoneVerified: true }

/** The accounts that development begins with. */
export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  {
    email: 'client@demo.test',
    phone: '+966500000001',
    accountType: 'client',
    ...PHONE,
    profile: { name: 'سارة العتيبي', gender: 'Female', ...ADDRESS },
  },
  {
    email: 'lawyer@demo.test',
    phone: '+966500000002',
    accountType: 'lawyer',
    ...PHONE,
    profile: { name: 'عبدالله محمد سعد القحطاني', gender: 'Male', ...ADDRESS },
  },
  {
    email: 'admin@demo.test',
    phone: '+966500000003',
    accountType: 'client',
    isAdmin: true,
    ...PHONE,
    profile: { name: 'نورة الحربي', gender: 'Female', ...ADDRESS },
  },
]

/** Adds those of the demo accounts that are not there. */
export async function addDemoAccounts({ prisma }: Database): Promise<void> {
  const emails = DEMO_ACCOUNTS.map(({ email }) => email)
  const present = await prisma.account.count({ where: { email: { in: emails } } })
  if (present === emails.length) return

  await prisma.$transaction(async (transaction) => {
    const accounts = DEMO_ACCOUNTS.map(({ profile: _, ...account }) => ({ ...account, passwordHash: PASSWORD_HASH }))
    await transaction.account.createMany({ data: accounts, skipDuplicates: true })
    const rows = await transaction.account.findMany({
      where: { email: { in: emails } },
      select: { id: true, email: true },
    })
    const profiles = rows.flatMap(({ id, email }) => {
      const demo = DEMO_ACCOUNTS.find((account) => account.email === email)
      return demo ? [{ ...demo.profile, accountId: id }] : []
    })
    await transaction.profile.createMany({ data: profiles, skipDuplicates: true })
  })
}
