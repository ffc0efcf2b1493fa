// An optional field of both profile forms.
export const field = {
  name: 'Add a profile field',
  filesMax: 10,
  edits: {
    'openapi/components/schemas/ProfileFormBase.yaml': [
      [
        '  country_id:',
        `  middle_name:
    $ref: OptionalSingleLineText.yaml
    maxLength: 50
    description: The middle name. Send it empty to clear it.
    examples: [فهد]`,
      ],
    ],
    'openapi/components/schemas/ProfileBase.yaml': [
      ['  - profile_photo', '  - middle_name'],
      [
        '  profile_photo:',
        `  middle_name:
    $ref: NullableSingleLineText.yaml
    maxLength: 50
    description: The middle name; null if there is none.
    examples: [null]`,
      ],
    ],
    'scripts/generate/form-labels.ts': [
      ["  first_name: label('", "  middle_name: label('identity', 'Middle name', 'الاسم الأوسط'),"],
    ],
    'prisma/schema.prisma': [['  nationalityId ', '  middleName String? @map("middle_name") @db.VarChar(50)']],
    'src/domain/profiles/profile.ts': [['  gender: Gender', '  middleName: string | null']],
    'src/services/profile/profile-change.ts': [
      ['    gender: form.gender', '    middleName: keepOrClear(form.middle_name, current.middleName),'],
    ],
    'src/serializers/user.ts': [
      ["  gender: 'gender'", "  middleName: 'middle_name'"],
      ['    gender: profile.gender', '    middle_name: profile.middleName,'],
    ],
    'test/support/accounts/stored-profile.ts': [["  gender: 'Female'", '  middleName: null,']],
    'test/contract/profile/updateProfile.test.ts': [
      [
        "    'updates a client and returns",
        `    'stores a middle name, and clears it': async (send, world, t) => {
      const person = await world.person()
      const token = await person.token()
      const stored = await send({ token, form: clientForm(person, { middle_name: 'فهد' }) })
      t.match(stored.body.data, { user: { middle_name: 'فهد' } })
      await world.send('updateProfile')({ token, form: clientForm(person) })
      t.match((await world.send('getProfile')({ token })).body.data, { user: { middle_name: 'فهد' } })
      await world.send('updateProfile')({ token, form: clientForm(person, { middle_name: '' }) })
      t.match((await world.send('getProfile')({ token })).body.data, { user: { middle_name: null } })
      return stored
    },`,
      ],
    ],
  },
  after: [
    ['run', 'migration', '--', 'add_middle_name'],
    ['run', 'generate'],
    ['run', 'drift'],
  ],
  tests: ['contract/profile', 'contract/account/exportAccount'],
}
