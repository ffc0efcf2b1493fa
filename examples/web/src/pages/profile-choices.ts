// Fields that depend on what is chosen in others.
import { tawthiq } from '../client.ts'
import { fillChoices } from '../fields.ts'
import type { User } from './profile.ts'
import { choicesOf, type Lookups } from './profile-groups.ts'

/** The degree for which `other_degree` is asked */
const OTHER_DEGREE = 4
const INDIVIDUAL = 1

/** Fills the lists that depend on others and hides fields that do not apply, now and on every change. */
export async function followChoices(form: HTMLFormElement, user: User, lookups: Lookups): Promise<void> {
  const value = (name: string): number => Number(form.querySelector<HTMLSelectElement>(`#${name}`)?.value)
  const fill = (name: string, items: { id: number; name: string }[], chosen: unknown): void => {
    const select = form.querySelector<HTMLSelectElement>(`#${name}`)
    if (select) fillChoices(select, choicesOf(items), chosen)
  }
  const fillRegions = async (chosen?: unknown): Promise<void> => {
    const country = value('country_id')
    fill('region_id', country ? (await tawthiq.lookups.regions({ country_id: country })).items : [], chosen)
  }
  const fillCities = async (chosen?: unknown): Promise<void> => {
    const region = value('region_id')
    fill('city_id', region ? (await tawthiq.lookups.cities({ region_id: region })).items : [], chosen)
  }
  const fillSpecialties = (chosen?: unknown): void => {
    const parent = value('general_specialty')
    const items = lookups.accurate_specialties.filter(({ general_specialty_id: id }) => id === parent)
    fill('accurate_specialty', items, chosen)
  }
  const hideOthers = (): void => {
    const certificate = lookups.degrees.find(({ id }) => id === value('degree'))?.need_certificate ?? false
    show(form, '[data-field=other_degree]', value('degree') === OTHER_DEGREE)
    show(form, '[data-field=degree_certificate]', certificate)
    show(form, '#group_company', value('type') > INDIVIDUAL)
    for (const input of form.querySelectorAll<HTMLInputElement>('[data-license]')) {
      const box = form.querySelector<HTMLInputElement>(`[name=sections][value="${input.dataset['license'] ?? ''}"]`)
      const isChecked = box?.checked ?? false
      input.disabled = !isChecked // a disabled input is not sent
      input.closest<HTMLElement>('.field')?.toggleAttribute('hidden', !isChecked)
    }
  }

  form.addEventListener('change', ({ target }) => {
    const { name } = target as HTMLInputElement
    if (name === 'country_id') void fillRegions().then(() => fillCities())
    if (name === 'region_id') void fillCities()
    if (name === 'general_specialty') fillSpecialties()
    hideOthers()
  })
  await fillRegions(user.region_id)
  await fillCities(user.city_id)
  fillSpecialties(user.account_type === 'lawyer' ? user.accurate_specialty : null)
  hideOthers()
}

function show(form: HTMLFormElement, selector: string, isShown: boolean): void {
  form.querySelector(selector)?.toggleAttribute('hidden', !isShown)
}
