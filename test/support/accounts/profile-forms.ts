// Forms that update a profile.
import type { Form } from '../service/sender.ts'
import type { Person } from '../service/world.ts'

/** A PNG of one pixel */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export function picture(): Blob {
  return new Blob([Buffer.from(PNG, 'base64')], { type: 'image/png' })
}

function personForm({ email, phone }: Pick<Person, 'email' | 'phone'>): Form {
  return {
    email,
    phone,
    phone_code: '966',
    country_id: '682',
    region_id: '1',
    city_id: '1',
    nationality_id: '682',
    type: '1',
    gender: 'Female',
    longitude: '46.6753',
    latitude: '24.7136',
  }
}

export function clientForm(person: Pick<Person, 'email' | 'phone'>, more: Form = {}): Form {
  return { account_type: 'client', name: 'سارة العتيبي', ...personForm(person), ...more }
}

/** Returns a form with all fields that are required of a new lawyer. */
export function lawyerForm(person: Pick<Person, 'email' | 'phone'>, more: Form = {}): Form {
  return {
    account_type: 'lawyer',
    first_name: 'عبدالله',
    second_name: 'محمد',
    fourth_name: 'القحطاني',
    ...personForm(person),
    about: 'محامٍ.\nفي الرياض.',
    national_id: '1012345672',
    identity_type: '1',
    national_id_image: picture(),
    day: '17',
    month: '5',
    year: '1988',
    degree: '1',
    degree_certificate: picture(),
    general_specialty: '1',
    accurate_specialty: '102',
    functional_cases: '1',
    languages: ['8', '40'],
    ...more,
  }
}
