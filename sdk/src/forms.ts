export { FIELDS } from './generated/fields.ts'
export { toForm, type FormOf } from './profile-form.ts'
