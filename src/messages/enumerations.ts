import type { components } from '../../generated/types.ts'
import type { Language } from './index.ts'

type Schemas = components['schemas']
type Unnamed<Item> = Omit<Item, 'name'>

/** The names of the fixed values of a profile. */
const ENUMERATIONS: Readonly<{
  account_types: Unnamed<Schemas['AccountTypeOption']>[]
  genders: Unnamed<Schemas['GenderOption']>[]
  types: Unnamed<Schemas['UserTypeOption']>[]
  identity_types: Unnamed<Schemas['IdentityTypeOption']>[]
}> = {
  account_types: [
    { value: 'client', name_ar: 'عميل', name_en: 'Client' },
    { value: 'lawyer', name_ar: 'محامٍ', name_en: 'Lawyer' },
  ],
  genders: [
    { value: 'Male', name_ar: 'ذكر', name_en: 'Male' },
    { value: 'Female', name_ar: 'أنثى', name_en: 'Female' },
  ],
  types: [
    { value: 1, name_ar: 'فرد', name_en: 'Individual' },
    { value: 2, name_ar: 'مؤسسة', name_en: 'Establishment' },
    { value: 3, name_ar: 'شركة', name_en: 'Company' },
    { value: 4, name_ar: 'جهة حكومية', name_en: 'Government body' },
    { value: 5, name_ar: 'هيئة', name_en: 'Authority' },
  ],
  identity_types: [
    { value: 1, name_ar: 'هوية وطنية', name_en: 'National ID' },
    { value: 2, name_ar: 'جواز سفر', name_en: 'Passport' },
    { value: 3, name_ar: 'هوية مقيم', name_en: 'Resident ID' },
  ],
}

type Named<Item> = Item & { name: string }

/** Each value with its name in a language. */
export function enumerationsIn(language: Language): {
  [Name in keyof typeof ENUMERATIONS]: Named<(typeof ENUMERATIONS)[Name][number]>[]
} {
  const named = <Item extends { name_ar: string; name_en: string }>(items: Item[]): Named<Item>[] =>
    items.map((item) => ({ ...item, name: language === 'ar' ? item.name_ar : item.name_en }))
  const { account_types, genders, types, identity_types } = ENUMERATIONS
  return {
    account_types: named(account_types),
    genders: named(genders),
    types: named(types),
    identity_types: named(identity_types),
  }
}
