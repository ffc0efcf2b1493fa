// Generated from openapi/ by `npm run generate`. Do not edit.

/**
 * Fields of the profile form, by account type. `maximum` is a number of characters, items or megabytes, or the largest
 * number. Fields whose requirement depends on others are not `required` here.
 */
export const FIELDS = {
  client: {
    account_type: {
      kind: 'text',
      required: true,
    },
    email: {
      kind: 'text',
      required: true,
      maximum: 254,
    },
    phone: {
      kind: 'text',
      required: true,
      maximum: 32,
    },
    phone_code: {
      kind: 'text',
      required: true,
      maximum: 16,
    },
    otp: {
      kind: 'text',
      maximum: 32,
    },
    password: {
      kind: 'text',
      maximum: 256,
    },
    country_id: {
      kind: 'number',
      required: true,
    },
    region_id: {
      kind: 'number',
      required: true,
    },
    city_id: {
      kind: 'number',
      required: true,
    },
    nationality_id: {
      kind: 'number',
      required: true,
    },
    type: {
      kind: 'number',
      required: true,
    },
    gender: {
      kind: 'text',
      required: true,
    },
    longitude: {
      kind: 'number',
      required: true,
      maximum: 180,
    },
    latitude: {
      kind: 'number',
      required: true,
      maximum: 90,
    },
    profile_photo: {
      kind: 'file',
      maximum: 5,
    },
    name: {
      kind: 'text',
      required: true,
      maximum: 160,
    },
  },
  lawyer: {
    account_type: {
      kind: 'text',
      required: true,
    },
    email: {
      kind: 'text',
      required: true,
      maximum: 254,
    },
    phone: {
      kind: 'text',
      required: true,
      maximum: 32,
    },
    phone_code: {
      kind: 'text',
      required: true,
      maximum: 16,
    },
    otp: {
      kind: 'text',
      maximum: 32,
    },
    password: {
      kind: 'text',
      maximum: 256,
    },
    country_id: {
      kind: 'number',
      required: true,
    },
    region_id: {
      kind: 'number',
      required: true,
    },
    city_id: {
      kind: 'number',
      required: true,
    },
    nationality_id: {
      kind: 'number',
      required: true,
    },
    type: {
      kind: 'number',
      required: true,
    },
    gender: {
      kind: 'text',
      required: true,
    },
    longitude: {
      kind: 'number',
      required: true,
      maximum: 180,
    },
    latitude: {
      kind: 'number',
      required: true,
      maximum: 90,
    },
    profile_photo: {
      kind: 'file',
      maximum: 5,
    },
    first_name: {
      kind: 'text',
      required: true,
      maximum: 50,
    },
    second_name: {
      kind: 'text',
      required: true,
      maximum: 50,
    },
    third_name: {
      kind: 'text',
      clearable: true,
      maximum: 50,
    },
    fourth_name: {
      kind: 'text',
      required: true,
      maximum: 50,
    },
    about: {
      kind: 'text',
      required: true,
      maximum: 2000,
    },
    national_id: {
      kind: 'text',
      required: true,
      maximum: 20,
    },
    identity_type: {
      kind: 'number',
      required: true,
    },
    national_id_image: {
      kind: 'file',
      maximum: 5,
    },
    day: {
      kind: 'number',
      required: true,
      maximum: 31,
    },
    month: {
      kind: 'number',
      required: true,
      maximum: 12,
    },
    year: {
      kind: 'number',
      required: true,
      maximum: 2200,
    },
    degree: {
      kind: 'number',
      required: true,
    },
    other_degree: {
      kind: 'text',
      clearable: true,
      maximum: 100,
    },
    degree_certificate: {
      kind: 'file',
      maximum: 10,
    },
    general_specialty: {
      kind: 'number',
      required: true,
    },
    accurate_specialty: {
      kind: 'number',
      required: true,
    },
    functional_cases: {
      kind: 'number',
      required: true,
    },
    languages: {
      kind: 'list',
      required: true,
      maximum: 50,
    },
    sections: {
      kind: 'list',
      clearable: true,
      maximum: 50,
    },
    license_no: {
      kind: 'map',
      clearable: true,
      maximum: 50,
    },
    company_name: {
      kind: 'text',
      clearable: true,
      maximum: 160,
    },
    company_licences_no: {
      kind: 'text',
      clearable: true,
      maximum: 50,
    },
    company_license_file: {
      kind: 'file',
      maximum: 10,
    },
    cv_file: {
      kind: 'file',
      maximum: 10,
    },
    logo: {
      kind: 'file',
      maximum: 5,
    },
  },
} as const
