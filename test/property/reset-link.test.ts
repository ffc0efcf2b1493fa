// The position of the reset token in the link to a page.
import fc from 'fast-check'
import t from 'tap'
import { resetTokens } from '../../src/adapters/tokens/refresh-tokens.ts'
import { buildResetLink } from '../../src/domain/passwords/password.ts'

const PAGES: [page: string, link: string][] = [
  ['https://app.example/reset', 'https://app.example/reset#token=T'],
  ['https://app.example', 'https://app.example/#token=T'],
  ['https://app.example/reset?lang=ar&token=x', 'https://app.example/reset?lang=ar&token=x#token=T'],
  ['https://app.example/reset#', 'https://app.example/reset#token=T'],
  ['https://app.example/reset#token=', 'https://app.example/reset#token=T'],
  ['https://app.example/reset#form', 'https://app.example/reset#form&token=T'],
  ['https://app.example/reset#lang=ar&tokens=2', 'https://app.example/reset#lang=ar&tokens=2&token=T'],
  ['https://app.example/#/reset', 'https://app.example/#/reset?token=T'],
  ['https://app.example/#/reset?lang=ar', 'https://app.example/#/reset?lang=ar&token=T'],
  ['https://app.example/#/reset?token=old&lang=ar', 'https://app.example/#/reset?lang=ar&token=T'],
  ['https://app.example/#!/reset', 'https://app.example/#!/reset?token=T'],
  ['https://app.example/?v=1#/', 'https://app.example/?v=1#/?token=T'],
  ['https://app.example/استعادة', 'https://app.example/%D8%A7%D8%B3%D8%AA%D8%B9%D8%A7%D8%AF%D8%A9#token=T'],
]

void t.test('adds the token to every kind of fragment', (t) => {
  for (const [page, link] of PAGES) t.equal(buildResetLink(page, 'T'), link, page)
  t.end()
})

void t.test('puts the token only into the fragment, once, and changes nothing else', async (t) => {
  await t.resolves(
    fc.assert(
      fc.asyncProperty(fc.webUrl({ withQueryParameters: true, withFragments: true }), async (page) => {
        const token = resetTokens.newToken()
        const [before, after] = [new URL(page), new URL(buildResetLink(page, token))]
        t.same([after.origin, after.pathname, after.search], [before.origin, before.pathname, before.search])
        const parameters = new URLSearchParams(after.hash.slice(1).replace(/^[/!][^?]*\?/, ''))
        t.same(parameters.getAll('token'), [token])
        t.equal(after.href.split(token).length, 2)
      }),
    ),
  )
})
