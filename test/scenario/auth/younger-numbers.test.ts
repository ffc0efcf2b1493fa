// A number that has replaced another one less than 72 hours ago stays with the device that changed it, and leaves with any other one.
import t, { type Test } from 'tap'
import { clientForm } from '../../support/accounts/profile-forms.ts'
import { codeFor } from '../../support/accounts/resets.ts'
import { openWorld, PASSWORD, sharedService, tokensIn, type Person, type World } from '../../support/service/world.ts'

const NEW_PASSWORD = 'olive3kayak'
const service = await sharedService()

/** Gives an account another number, with its code. Returns the number. */
async function change(t: Test, world: World, { email }: Person, token: string): Promise<string> {
  const phone = world.newPhone()
  await world.send('checkPhone')({ form: { phone_code: '966', phone } })
  const form = clientForm({ email, phone }, { otp: await codeFor(world, phone) })
  t.equal((await world.send('updateProfile')({ token, form })).status, 200)
  return phone
}

/** Returns the number of an account as it was entered, and whether it is verified. */
async function numberOf(world: World, token: string): Promise<unknown> {
  const { body } = await world.send('getProfile')({ token })
  const { phone, phone_verified: isVerified } = body.data.user as { phone: string; phone_verified: boolean }
  return { phone: `0${phone}`, isVerified }
}

/** What ends other sessions. Returns a token of the session that asked, or of the one that has replaced it. */
const ACTS: Readonly<Record<string, (world: World, token: string) => Promise<string>>> = {
  'a logout of other devices': async (world, token) => {
    await world.send('revokeOtherSessions')({ token })
    return token
  },
  'a change of the password': async (world, token) => {
    const json = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    return tokensIn(await world.send('changePassword')({ token, json })).token
  },
  'a PATCH with a password': async (world, token) => {
    const raw = JSON.stringify({ password: NEW_PASSWORD })
    await world.send('patchProfile')({ raw, type: 'application/merge-patch+json', token })
    return token
  },
  'a logout of other devices after a reauthentication': async (world, token) => {
    const json = { method: 'password', password: PASSWORD }
    const renewed = tokensIn(await world.send('reauthenticate')({ token, json })).token
    await world.send('revokeOtherSessions')({ token: renewed })
    return renewed
  },
}

for (const [name, act] of Object.entries(ACTS)) {
  void t.test(`${name} keeps the new number of the same device`, async (t) => {
    const world = await openWorld(service)
    const owner = await world.person()
    const token = await owner.token()
    const phone = await change(t, world, owner, token)
    const after = await act(world, token)
    t.same(await numberOf(world, after), { phone, isVerified: true })
  })

  void t.test(`${name} on another device restores the former number`, async (t) => {
    const world = await openWorld(service)
    const owner = await world.person()
    const [token, stolen] = [await owner.token(), await owner.token()]
    await change(t, world, owner, stolen)
    world.wait(60_000)
    await change(t, world, owner, stolen)
    const after = await act(world, token)
    t.same(await numberOf(world, after), { phone: owner.phone, isVerified: true })
    t.equal((await world.send('getProfile')({ token: stolen })).status, 401)
  })
}

void t.test('does not restore a former number that another account has verified meanwhile', async (t) => {
  const world = await openWorld(service)
  const owner = await world.person()
  const [token, stolen] = [await owner.token(), await owner.token()]
  const phone = await change(t, world, owner, stolen)
  const next = await world.person()
  await service.database.prisma.account.update({
    where: { id: next.id },
    data: { phone: `+966${owner.phone.slice(1)}` },
  })
  t.equal((await world.send('revokeOtherSessions')({ token })).status, 200)
  t.same(await numberOf(world, token), { phone, isVerified: false })
})
