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
const CASE = `    'stores a middle name, and clears it': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const readName = async (): Promise<unknown> =>
        (await world.send('getProfile')({ token })).body.data?.user?.middle_name
      const stored = await send({ token, form: clientForm(person, { middle_name: 'فهد' }) })
      t.equal(await readName(), 'فهد')
      await send({ token, form: clientForm(person) })
      t.equal(await readName(), 'فهد')
      await send({ token, form: clientForm(person, { middle_name: '' }) })
      t.equal(await readName(), null)
      return stored
    },
`

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
