// An optional field of both profile forms. Texts of files are replaced: [before, after].
const FORM_FIELD = `  middle_name:
    $ref: OptionalSingleLineText.yaml
    maxLength: 50
    description: The middle name. Send it empty to clear it.
    examples: [فهد]
`
const PROFILE_FIELD = `  middle_name:
    $ref: NullableSingleLineText.yaml
    maxLength: 50
    description: The middle name; null if there is none.
    examples: [null]
`
const LABEL = "  middle_name: label('identity', 'Middle name', 'الاسم الأوسط'),\n"

/** Returns a case that stores a value, keeps it without the field, and clears it. */
const caseOf = ({ field, form, value, stored }) => `    'stores ${field}, and clears it': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const read = async (): Promise<unknown> =>
        Reflect.get((await world.send('getProfile')({ token })).body.data?.user ?? {}, '${field}')
      await send({ token, form: ${form}(person, { ${field}: '${value}' }) })
      t.equal(await read(), ${stored})
      const kept = await send({ token, form: ${form}(person) })
      t.equal(await read(), ${stored})
      await send({ token, form: ${form}(person, { ${field}: '' }) })
      t.equal(await read(), null)
      return kept
    },
`
const CASE = caseOf({ field: 'middle_name', form: 'clientForm', value: 'فهد', stored: "'فهد'" })

export const field = {
  name: 'Add a profile field',
  filesMax: 10,
  edits: {
    'openapi/components/schemas/ProfileFormBase.yaml': [['  country_id:\n', `${FORM_FIELD}  country_id:\n`]],
    'openapi/components/schemas/ProfileBase.yaml': [
      ['  - profile_photo\n', '  - middle_name\n  - profile_photo\n'],
      ['  profile_photo:\n', `${PROFILE_FIELD}  profile_photo:\n`],
    ],
    'scripts/generate/form-labels.ts': [['  first_name: label(', `${LABEL}  first_name: label(`]],
    'prisma/schema.prisma': [
      ['model Profile {\n', 'model Profile {\n  middleName String? @map("middle_name") @db.VarChar(50)\n'],
    ],
    'src/domain/profiles/profile.ts': [['  gender: Gender\n', '  gender: Gender\n  middleName: string | null\n']],
    'src/services/profile/profile-change.ts': [
      ['buildPerson(form),', 'buildPerson(form, current),'],
      ['buildPerson(form: Form)', 'buildPerson(form: Form, current: Profile)'],
      [
        '    gender: form.gender,\n',
        '    gender: form.gender,\n    middleName: keepOrClear(form.middle_name, current.middleName),\n',
      ],
    ],
    'src/serializers/user.ts': [
      ['    gender: profile.gender,\n', '    gender: profile.gender,\n    middle_name: profile.middleName,\n'],
    ],
    'test/support/accounts/stored-profile.ts': [
      ["  gender: 'Female',\n", "  gender: 'Female',\n  middleName: null,\n"],
    ],
    'test/contract/profile/updateProfile.test.ts': [
      ["    'updates a client and returns", `${CASE}    'updates a client and returns`],
    ],
  },
  migration: 'ALTER TABLE "profiles" ADD COLUMN     "middle_name" VARCHAR(50);',
  after: [
    ['run', '-s', 'migration', '--', 'add_middle_name'],
    ['run', '-s', 'generate', '--', '--no-lint'], // the next recipe lints the document with this field
    ['run', '-s', 'migration', '--', '--check'],
  ],
  tests: ['contract/profile', 'scenario/accounts/export'],
}

const LOOKUP_FIELD = `  second_nationality_id:
    $ref: IntegerId.yaml
    type: [integer, 'null']
    x-tawthiq-clearable: true
    description: The second nationality, an id of \`GET /api/v1/lookups/nationalities\`. Send it empty to clear it.
    examples: [818]
`
const LOOKUP_PROFILE_FIELD = `  second_nationality_id:
    $ref: IntegerId.yaml
    type: [integer, 'null']
    description: The second nationality, an id of its lookup; null if there is none.
    examples: [818]
`
const LOOKUP_LABEL = "  second_nationality_id: label('identity', 'Second nationality', 'الجنسية الثانية'),\n"
const LOOKUP_CASE = caseOf({ field: 'second_nationality_id', form: 'lawyerForm', value: '818', stored: '818' })

/** A field of lawyers of another type than text, whose values are those of a lookup */
export const lookupField = {
  name: 'Add a field of lawyers with a lookup',
  filesMax: 10,
  edits: {
    'openapi/components/schemas/LawyerProfileForm.yaml': [['  languages:\n', `${LOOKUP_FIELD}  languages:\n`]],
    'openapi/components/schemas/LawyerProfile.yaml': [
      ['  - languages\n', '  - second_nationality_id\n  - languages\n'],
      ['  languages:\n', `${LOOKUP_PROFILE_FIELD}  languages:\n`],
    ],
    'scripts/generate/form-labels.ts': [
      ['  first_name: label(', `${LOOKUP_LABEL}  first_name: label(`],
      [
        "  functional_cases: { set: 'functional-cases' },\n",
        "  functional_cases: { set: 'functional-cases' },\n  second_nationality_id: { set: 'nationalities' },\n",
      ],
    ],
    'prisma/schema.prisma': [
      ['model LawyerProfile {\n', 'model LawyerProfile {\n  secondNationalityId Int? @map("second_nationality_id")\n'],
      [
        '  licences          LawyerLicence[]\n',
        '  secondNationality Nationality? @relation(fields: [secondNationalityId], references: [id], onDelete: Restrict)\n  licences          LawyerLicence[]\n',
      ],
      [
        '  profiles Profile[]\n\n  @@map("nationalities")',
        '  profiles Profile[]\n  lawyers LawyerProfile[]\n\n  @@map("nationalities")',
      ],
    ],
    'src/domain/profiles/profile.ts': [
      ['  companyName: string | null\n', '  secondNationalityId: number | null\n  companyName: string | null\n'],
      ['  companyName: true,\n', '  secondNationalityId: false,\n  companyName: true,\n'],
    ],
    'src/services/profile/profile-change.ts': [
      [
        '    companyName: keepOrClear(',
        '    secondNationalityId: keepOrClear(form.second_nationality_id, lawyer?.secondNationalityId),\n    companyName: keepOrClear(',
      ],
      [
        "    choice('languages',",
        "    choice('second_nationality_id', 'nationalities', lawyer?.secondNationalityId),\n    choice('languages',",
      ],
    ],
    'src/serializers/user.ts': [
      [
        '    company_name: lawyer?.companyName',
        '    second_nationality_id: lawyer?.secondNationalityId ?? null,\n    company_name: lawyer?.companyName',
      ],
    ],
    'src/store/demo-data.ts': [['  companyName: null,\n', '  secondNationalityId: null,\n  companyName: null,\n']],
    'test/contract/profile/updateProfile.test.ts': [
      ["    'updates a client and returns", `${LOOKUP_CASE}    'updates a client and returns`],
    ],
  },
  migration: [
    'ALTER TABLE "lawyer_profiles" ADD COLUMN     "second_nationality_id" INTEGER;',
    'ALTER TABLE "lawyer_profiles" ADD CONSTRAINT "lawyer_profiles_second_nationality_id_fkey" FOREIGN KEY ("second_nationality_id") REFERENCES "nationalities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;',
  ].join('\n'),
  after: [
    ['run', '-s', 'migration', '--', 'add_second_nationality'],
    ['run', '-s', 'generate', '--', '--no-lint'], // the next recipe lints the document with this field
    ['run', '-s', 'migration', '--', '--check'],
  ],
  tests: ['scenario/accounts/erasure', 'http/form-values', 'sdk/forms', 'sdk/profile-form', 'store/statements'],
}
