// The groups of fields of the profile forms.
import { saveDownload } from '@tawthiq/sdk/web'
import type { Data, Schemas } from '@tawthiq/sdk'
import { tawthiq } from '../client.ts'
import { h } from '../dom.ts'
import { checkField, field, fileField, group, longField, selectField, type Choice } from '../fields.ts'
import { text } from '../language.ts'
import { actionButton } from '../submit.ts'
import type { User } from './profile.ts'

export type Lookups = Data<'listLookups'>
type CommonGroups = {
  identity(own: HTMLElement[]): HTMLElement
  contact: HTMLElement
  address: HTMLElement
  files(own: HTMLElement[]): HTMLElement
}
type Groups = { identity: HTMLElement[]; groups: HTMLElement[]; files: HTMLElement[] }

const IMAGES = 'image/jpeg,image/png,image/webp'
const DOCUMENTS = `application/pdf,${IMAGES}`

export function choicesOf(items: readonly { id: number; name: string }[]): Choice[] {
  return items.map(({ id, name }) => ({ value: id, name }))
}

export function commonGroups(user: User, lookups: Lookups): CommonGroups {
  return {
    identity: (own: HTMLElement[]) =>
      group(
        'group_identity',
        ...own,
        selectField('gender', lookups.genders, user.gender),
        selectField('nationality_id', choicesOf(lookups.nationalities), user.nationality_id),
        selectField('type', lookups.types, user.type),
      ),
    contact: group(
      'group_contact',
      field({ name: 'email', type: 'email', value: user.pending_email ?? user.email, autocomplete: 'email' }),
      field({ name: 'phone_code', type: 'tel', value: user.phone_code }),
      field({ name: 'phone', type: 'tel', value: user.phone }),
    ),
    address: group(
      'group_address',
      selectField('country_id', choicesOf(lookups.countries), user.country_id),
      selectField('region_id', [], user.region_id),
      selectField('city_id', [], user.city_id),
      field({ name: 'longitude', type: 'number', step: 'any', value: user.longitude }),
      field({ name: 'latitude', type: 'number', step: 'any', value: user.latitude }),
      locationButton(),
    ),
    files: (own: HTMLElement[]) => group('group_files', profileFile(user, 'profile_photo', IMAGES), ...own),
  }
}

export function clientGroups(user: Schemas['ClientProfile']): Groups {
  return { identity: [field({ name: 'name', value: user.name })], groups: [], files: [] }
}

export function lawyerGroups(user: Schemas['LawyerProfile'], lookups: Lookups): Groups {
  const names = (['first_name', 'second_name', 'third_name', 'fourth_name'] as const).map((name) =>
    field({ name, value: user[name], required: name !== 'third_name' }),
  )
  const birth = (['day', 'month', 'year'] as const).map((name) => field({ name, type: 'number', value: user[name] }))
  return {
    identity: [
      ...names,
      ...birth,
      selectField('identity_type', lookups.identity_types, user.identity_type),
      field({ name: 'national_id', value: user.national_id, dir: 'ltr' }),
    ],
    groups: [professionGroup(user, lookups), companyGroup(user)],
    files: [
      profileFile(user, 'national_id_image', IMAGES),
      profileFile(user, 'degree_certificate', DOCUMENTS),
      profileFile(user, 'cv_file', DOCUMENTS),
      profileFile(user, 'logo', IMAGES),
    ],
  }
}

function professionGroup(user: Schemas['LawyerProfile'], lookups: Lookups): HTMLElement {
  const licenses: Record<string, string> = user.license_no
  const sections = lookups.digital_guide_categories.flatMap(({ sections }) => choicesOf(sections))
  const licenseOf = ({ value }: Choice): HTMLElement =>
    field({
      name: `license_no[${value}]`,
      label: text('license_no'),
      value: licenses[value],
      'data-license': value,
      required: true,
    })
  return group(
    'group_profession',
    selectField('degree', choicesOf(lookups.degrees), user.degree),
    field({ name: 'other_degree', value: user.other_degree, required: true }),
    selectField('general_specialty', choicesOf(lookups.general_specialties), user.general_specialty),
    selectField('accurate_specialty', [], user.accurate_specialty),
    selectField('functional_cases', choicesOf(lookups.functional_cases), user.functional_cases),
    longField('about', user.about),
    checkField('languages', choicesOf(lookups.languages), user.languages),
    checkField('sections', sections, user.sections, licenseOf),
  )
}

function companyGroup(user: Schemas['LawyerProfile']): HTMLElement {
  return group(
    'group_company',
    field({ name: 'company_name', value: user.company_name }),
    field({ name: 'company_licences_no', value: user.company_licences_no, required: false }),
    profileFile(user, 'company_license_file', DOCUMENTS),
  )
}

/** A file field with the current file: an image, or a button that downloads it. */
function profileFile(user: User, name: string, accept: string): HTMLElement {
  const link = (user as Record<string, unknown>)[name] // a file link or null, by the schema of files
  const isRequired = ['national_id_image', 'degree_certificate', 'company_license_file'].includes(name)
  if (typeof link !== 'string') return fileField(name, accept, null, isRequired)
  const isPublicImage = name === 'profile_photo' || name === 'logo'
  const current = isPublicImage
    ? h('img', { src: tawthiq.files.url(link), alt: '', class: 'current' })
    : actionButton(text('open'), async () => saveDownload(await tawthiq.files.get(link)), 'quiet')
  return fileField(name, accept, current, isRequired)
}

function locationButton(): HTMLElement {
  return actionButton(
    text('useLocation'),
    () =>
      new Promise<void>((resolve) =>
        navigator.geolocation.getCurrentPosition(
          ({ coords }) => {
            for (const name of ['longitude', 'latitude'] as const) {
              const input = document.querySelector<HTMLInputElement>(`#${name}`)
              if (input) input.value = coords[name].toFixed(4)
            }
            resolve()
          },
          () => resolve(),
        ),
      ),
    'quiet',
  )
}
