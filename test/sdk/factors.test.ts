// @tawthiq/sdk/factors: an app is added, used and removed, and its loss ends it.
import { createFactors } from '@tawthiq/sdk/factors'
import t from 'tap'
import { knownToken } from '../support/accounts/factor-resets.ts'
import { codeFor, settled } from '../support/accounts/resets.ts'
import { codeAt } from '../support/accounts/second-factors.ts'
import { clientOf, loggedIn } from '../support/sdk/clients.ts'
import { openWorld, PASSWORD } from '../support/service/world.ts'

const STEP_MS = 30_000

void t.test('adds, uses and removes an app, and renews the recovery codes', async (t) => {
  const world = await openWorld()
  const { nowMs } = world.service.clock
  const person = await world.person()
  const tawthiq = await loggedIn(world, person)
  const factors = createFactors(tawthiq)
  const { secret } = await factors.beginTotp({ password: PASSWORD })
  const { recovery_codes: codes } = await factors.confirmTotp({ code: codeAt(secret, nowMs()) })
  t.equal(codes?.length, 10)
  t.match(await factors.get(), { totp_added_at: String, passkeys: [], recovery_codes_left: 10 })

  const credentials = { email: person.email, password: PASSWORD }
  const refused = await tawthiq.auth.login(credentials).result()
  t.match(refused, { ok: false, error: { code: 'mfa_required', methods: ['totp', 'recovery_code'] } })
  world.wait(STEP_MS)
  await tawthiq.auth.login({ ...credentials, code: codeAt(secret, nowMs()) })
  t.notMatch((await factors.renewRecoveryCodes({ password: PASSWORD })).recovery_codes, codes)
  await factors.removeTotp({ password: PASSWORD })
  await tawthiq.auth.login(credentials)
})

void t.test('requests, confirms and cancels a reset of the factors', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const owner = createFactors(await loggedIn(world, person))
  const { secret } = await owner.beginTotp({ password: PASSWORD })
  await owner.confirmTotp({ code: codeAt(secret, world.service.clock.nowMs()) })

  const factors = createFactors(clientOf(world))
  await settled(world)
  await factors.requestReset({ email: person.email, password: PASSWORD })
  const token = await knownToken(world, person, 'reset_factors')
  const wrong = await factors.confirmReset({ token, otp: '000000' }).result()
  t.match(wrong, { ok: false, error: { fields: { otp: [{ code: 'otp_wrong' }] } } })
  const { reset_at: resetAt } = await factors.confirmReset({ token, otp: await codeFor(world, person.phone) })
  t.equal((await owner.get()).reset_at, resetAt)
  await factors.cancelReset({ token: await knownToken(world, person, 'keep_factors') })
  t.equal((await owner.get()).reset_at, null)
})
