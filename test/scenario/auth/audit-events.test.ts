// Failed attempts on an account are in the audit trail.
import t from 'tap'
import { settled } from '../../support/accounts/resets.ts'
import { openWorld, PASSWORD, type World } from '../../support/service/world.ts'

type Recorded = { event: string; accountId: number | null; subject: string | null }

/** Returns the events that the requests of a world have caused, oldest first. */
async function recorded({ service, address }: World): Promise<Recorded[]> {
  const select = { event: true, accountId: true, subject: true }
  return service.database.prisma.auditEvent.findMany({ where: { address }, select, orderBy: { id: 'asc' } })
}

void t.test('audits wrong passwords of a logged-in user, and that they were too many', async (t) => {
  for (const limited of ['deletion_limited', 'password_change_limited']) {
    const world = await openWorld()
    const { id: accountId, token: logIn } = await world.person()
    const token = await logIn()
    const changePassword = (current_password: string): Promise<{ status: number }> =>
      world.send('changePassword')({ token, json: { current_password, new_password: 'olive3kayak' } })
    const requestDeletion = (password: string): Promise<{ status: number }> =>
      world.send('requestAccountDeletion')({ token, json: { password } })

    t.equal((await changePassword('wrong')).status, 422)
    for (let tries = 0; tries < 9; tries++) t.equal((await requestDeletion('wrong')).status, 422)
    const tooLate = limited === 'deletion_limited' ? requestDeletion(PASSWORD) : changePassword(PASSWORD)
    t.equal((await tooLate).status, 429)
    const events = ['password_change_failed', ...Array<string>(9).fill('deletion_refused'), limited]
    t.same(
      (await recorded(world)).filter(({ event }) => event !== 'login'),
      events.map((event) => ({ event, accountId, subject: null })),
    )
  }
})

void t.test('audits requests for a reset, and unknown tokens, with masked identifiers', async (t) => {
  const world = await openWorld()
  const phone = world.newPhone()
  await world.send('requestPasswordReset')({ json: { by: 'email', email: 'unknown@example.org' } })
  await settled(world)
  await world.send('requestPasswordReset')({ json: { by: 'phone', phone_code: '966', phone } })
  await settled(world)
  await world.send('resetPassword')({ json: { by: 'email', token: 'x', password: 'olive3kayak' } })
  await world.send('releaseEmail')({ json: { token: 'x' } })
  await world.send('confirmEmail')({ json: { by: 'token', token: 'x' } })
  await world.send('cancelEmailChange')({ json: { token: 'x' } })
  await world.send('undoChanges')({ json: { by: 'token', token: 'x' } })
  t.same(
    (await recorded(world)).map(({ event, subject }) => [event, subject]),
    [
      ['password_reset_requested', 'u***@example.org'],
      ['password_reset_requested', `+966***${phone.slice(-3)}`],
      ['password_reset_failed', null],
      ['email_release_failed', null],
      ['email_verification_failed', null],
      ['email_cancellation_failed', null],
      ['changes_undo_failed', null],
    ],
  )
})
