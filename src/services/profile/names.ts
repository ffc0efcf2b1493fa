import type { Body } from '../../contract/operation.ts'
import type { Names } from '../../domain/profiles/profile.ts'

type LawyerForm = Extract<Body<'register'>, { account_type: 'lawyer' }>

type NameParts = Pick<LawyerForm, 'first_name' | 'second_name' | 'third_name' | 'fourth_name'>

/** The fields of a registration that contain the name */
export type NamedForm =
  Readonly<{ account_type: 'client'; name: string }> | Readonly<{ account_type: 'lawyer' } & NameParts>

/** Returns the full name, and the parts of a lawyer's name. */
export function buildNames(form: NamedForm): { name: string; names: Names | undefined } {
  if (form.account_type === 'client') return { name: form.name, names: undefined }
  const names = {
    firstName: form.first_name,
    secondName: form.second_name,
    thirdName: filled(form.third_name),
    fourthName: form.fourth_name,
  }
  return { name: fullName(form), names }
}

/** Joins the parts of a lawyer's name. */
export function fullName({ first_name, second_name, third_name, fourth_name }: NameParts): string {
  return [first_name, second_name, third_name, fourth_name].filter(Boolean).join(' ')
}

export function filled(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}
