import { PROFILE_FORMS } from '../../../generated/forms.ts'
import type { Language } from '../../messages/index.ts'
import type { Data, Query } from '../operation.ts'

type Form = Data<'getProfileForm'>
type AccountType = Query<'getProfileForm'>['account_type']

/** Returns a form of the document in a language, with the degrees that need a certificate. */
export function profileForm(type: AccountType, language: Language, degrees: number[]): Form {
  const form = PROFILE_FORMS[type][language]
  const fields = Object.entries(form.properties).map(([name, field]) => {
    const rule = field['x-file']
    if (rule?.if?.field !== 'degree') return [name, field] as const
    return [name, { ...field, 'x-file': { ...rule, if: { field: 'degree', values: degrees } } }] as const
  })
  return { ...form, properties: Object.fromEntries(fields) }
}
