// A request that runs through few files is easy to follow: no warm request may execute more source files than these.
import t from 'tap'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { executedFiles } from '../../support/service/executed-files.ts'
import { openWorld, PASSWORD, type World } from '../../support/service/world.ts'

/** Counters in Redis run through these in place of those in memory. */
const REDIS_FILES = process.env['REDIS_URL'] === undefined ? 0 : 3

type Budget = { most: number; prepare(world: World): Promise<() => Promise<unknown>> }

const BUDGETS: Record<string, Budget> = {
  login: {
    most: 45,
    prepare: async (world) => {
      const { email } = await world.person()
      return () => world.send('login')({ json: { email, password: PASSWORD } })
    },
  },
  checkPhone: {
    most: 58,
    prepare: (world) =>
      Promise.resolve(() => world.send('checkPhone')({ form: { phone_code: '966', phone: world.newPhone() } })),
  },
  updateProfile: {
    most: 65,
    prepare: async (world) => {
      const person = await world.person()
      const token = await person.token()
      await world.send('updateProfile')({ token, form: clientForm(person) })
      const { national_id_image: _image, ...form } = clientForm(person)
      let updates = 0
      return () => world.send('updateProfile')({ token, form: { ...form, name: `Sara ${'a'.repeat(++updates)}` } })
    },
  },
}

for (const [operation, { most, prepare }] of Object.entries(BUDGETS)) {
  void t.test(`${operation} executes at most ${most} source files`, async (t) => {
    const request = await prepare(await openWorld())
    const files = (await executedFiles(request)).filter((file) => !file.startsWith('database/embedded/'))
    t.ok(files.length <= most + REDIS_FILES, `${files.length}: ${files.join(', ')}`)
    t.ok(files.some((file) => file.endsWith(`/${operation}.js`)))
  })
}
