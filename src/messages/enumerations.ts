import type { components } from '../../generated/types.ts'
import type { Language } from './index.ts'

type Schemas = components['schemas']
type Enumerations = {
  account_types: Schemas['AccountTypeOption'][]
  genders: Schemas['GenderOption'][]
  types: Schemas['UserTypeOption'][]
  identity_types: Schemas['IdentityTypeOption'][]
}
type Option<Value> = { value: Value; name_ar: string; name_en: string; name: string }

/** Returns the fixed values of a profile, each with its names. `name` is that in the language. */
export function enumerationsIn(language: Language): Enumerations {
  const option = <const Value>(value: Value, name_ar: string, name_en: string): Option<Value> => {
    return { value, name_ar, name_en, name: language === 'ar' ? name_ar : name_en }
  }
  return {
    account_types: [option('client', 'عميل', 'Client'), option('lawyer', 'محامٍ', 'Lawyer')],
    genders: [option('Male', 'ذكر', 'Male'), option('Female', 'أنثى', 'Female')],
    types: [
      option(1, 'فرد', 'Individual'),
      option(2, 'مؤسسة', 'Establishment'),
      option(3, 'شركة', 'Company'),
      option(4, 'جهة حكومية', 'Government body'),
      option(5, 'هيئة', 'Authority'),
    ],
    identity_types: [
      option(1, 'هوية وطنية', 'National ID'),
      option(2, 'جواز سفر', 'Passport'),
      option(3, 'هوية مقيم', 'Resident ID'),
    ],
  }
}
