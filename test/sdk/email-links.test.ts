// E-mails that verify an address: their links, and the calls of the pages that they lead to.
import { readLink } from '@tawthiq/sdk/web'
import fc from 'fast-check'
import t from 'tap'
import { resetTokens } from '../../src/adapters/tokens/refresh-tokens.ts'
import { buildEmailLink, EMAIL_LINK_ACTIONS } from '../../src/domain/emails/email-code.ts'
import { buildResetLink } from '../../src/domain/passwords/password.ts'
import { newAddress, putEmail, storedEmail, verificationTo } from '../support/accounts/emails.ts'
import { clientOf, loggedIn } from '../support/sdk/clients.ts'
import { openWorld } from '../support/service/world.ts'

const PAGES = ['https://app.example', 'https://app.example/?token=x#form', 'https://app.example/#!/reset?token=old&a=1']
/** Longer than the pause between two messages */
const PAUSE_MS = 61_000

void t.test('reads the token and the action of every link that the service makes', (t) => {
  const token = resetTokens.newToken()
  const check = (page: string): void => {
    t.same(readLink(buildResetLink(page, token)), { action: 'reset', token }, page)
    for (const action of EMAIL_LINK_ACTIONS) {
      const link = buildEmailLink(page, token, action)
      t.same(readLink(link), { action, token }, link)
      t.same(readLink(new URL(link).hash), { action, token }, 'of the fragment alone')
    }
  }
  PAGES.forEach(check)
  const pages = fc.webUrl({ withQueryParameters: true, withFragments: true })
  fc.assert(fc.property(pages, check), { numRuns: 30 })
  t.end()
})

void t.test('returns undefined without a token in the fragment, or with an unknown action', (t) => {
  const none = ['', '#', '#profile', '#token=', '#retoken=a', '#action=confirm', 'https://app.example/?token=a#reset']
  for (const url of [...none, '#token=a&action=toString']) t.equal(readLink(url), undefined, url)
  t.end()
})

void t.test('sends a pending address another message, and cancels the change', async (t) => {
  const world = await openWorld()
  const person = await world.person()
  const tawthiq = await loggedIn(world, person)
  const email = newAddress()
  await putEmail(world, person, await person.token(), email)
  const first = await verificationTo(world, email)
  world.wait(PAUSE_MS)
  await tawthiq.auth.verifyEmail({ email })
  const { token } = await verificationTo(world, email)
  t.not(token, first.token)

  t.same(await tawthiq.auth.cancelEmailChange(), { undone: false })
  t.match(await storedEmail(world, person.id), { email: person.email, pendingEmail: null })
  const late = await clientOf(world).auth.confirmEmail({ by: 'token', token }).result()
  t.match(late, { ok: false, error: { fields: { token: [{ code: 'email_token_wrong' }] } } })
  await tawthiq.auth.verifyEmail(undefined, { language: 'ar' })
})
