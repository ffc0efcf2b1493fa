// A form of a page of another origin, filled in and sent by a real browser.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { PNG } from '../support/accounts/profile-forms.ts'
import { browserPath, openBrowser } from '../support/servers/browser.ts'
import { openService } from '../support/service/service.ts'
import { openWorld } from '../support/service/world.ts'

const PAGE = `<!doctype html><meta charset="utf-8"><form>
  <input name="account_type" value="lawyer"><input name="first_name"><input name="second_name" value="محمد">
  <input name="third_name"><input name="fourth_name" value="القحطاني"><input name="email"><input name="phone">
  <input name="phone_code" value="+966"><textarea name="about"></textarea>
  <input name="national_id" value="1012345672"><input name="identity_type" value="1">
  <input name="day" value="17"><input name="month" value="5"><input name="year" value="١٩٨٨">
  <input name="degree" value="1"><input name="general_specialty" value="1"><input name="accurate_specialty" value="102">
  <input name="functional_cases" value="1">
  <select name="languages" multiple><option value="8">ar<option value="40">en<option value="41">eo</select>
  <input type="checkbox" name="sections[]" value="101"><input type="checkbox" name="sections[]" value="102">
  <input name="license_no[101]"><input name="license_no[102]">
  <input name="country_id" value="682"><input name="region_id" value="1"><input name="city_id" value="1">
  <input name="nationality_id" value="682"><input name="type" value="1"><input name="gender" value="Male">
  <input name="longitude" value="46.6753"><input name="latitude" value="24.7136">
  <input type="file" name="profile_photo"><input type="file" name="cv_file">
  <input type="file" name="national_id_image"><input type="file" name="degree_certificate">
</form>`

/** In the page: sends the form as a frontend would. */
const SEND = `async ({ origin, token }) => {
  const body = new FormData(document.forms[0])
  const headers = { authorization: 'Bearer ' + token, 'accept-language': 'en' }
  const response = await fetch(origin + '/api/v1/profile', { method: 'PUT', headers, body })
  return { status: response.status, code: response.headers.get('error-code'), body: await response.json() }
}`

/** In the page: returns what a script can read of headers, and of responses without an operation. */
const READ = `async ({ origin }) => {
  const read = async (path, method) => {
    const response = await fetch(origin + path, { method, headers: { authorization: 'Bearer x' } })
    return [response.status, response.headers.get('error-code'), response.headers.has('x-request-id')]
  }
  return [
    await read('/api/v1/nothing', 'GET'),
    await read('/api/v1/auth/login', 'DELETE'),
    await read('/api/v1/auth/check', 'GET'),
  ]
}`

type Sent = { status: number; code: string | null; body: { data: Record<string, never> } }

void t.test('accepts a form from a browser', { skip: browserPath ? false : 'there is no Chromium here' }, async (t) => {
  const page = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE))
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  const pageOrigin = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
  const service = await openService({ config: { corsOrigins: [pageOrigin] } })
  const browser = await openBrowser()
  t.teardown(async () => {
    await browser.close()
    page.close()
    await service.close()
  })
  const world = await openWorld(service)
  const person = await world.person()
  const tab = await browser.newPage()
  await tab.goto(pageOrigin)
  const sent = async (): Promise<Sent> => {
    const { origin } = service
    const response: unknown = await tab.evaluate(
      `(${SEND})(${JSON.stringify({ origin, token: await person.token() })})`,
    )
    return response as Sent // what SEND gives
  }

  t.same(await tab.evaluate(`(${READ})(${JSON.stringify({ origin: service.origin })})`), [
    [404, 'route_unknown', true],
    [405, 'method_not_allowed', true],
    [401, 'token_invalid', true],
  ])
  const empty = await sent()
  t.match(empty, { status: 422, code: 'invalid_data' }, 'a page of another origin reads the code')
  t.match(empty.body.data, {
    codes: { first_name: ['required'], email: ['required'], national_id_image: ['required'] },
  })

  await tab.fill('[name=first_name]', 'عبد الله 😀')
  await tab.fill('[name=email]', person.email)
  await tab.fill('[name=phone]', person.phone)
  await tab.fill('[name=about]', 'سطر\nوسطر')
  await tab.selectOption('[name=languages]', ['8', '40'])
  await tab.check('[value="101"]')
  await tab.fill('[name="license_no[101]"]', '38/1234')
  const picture = { name: 'صورة.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') }
  for (const name of ['profile_photo', 'national_id_image', 'degree_certificate'])
    await tab.setInputFiles(`[name=${name}]`, picture)

  const { status, body } = await sent()
  t.equal(status, 200, JSON.stringify(body))
  t.match(body.data, {
    user: {
      name: 'عبد الله 😀 محمد القحطاني',
      about: 'سطر\nوسطر',
      third_name: null,
      year: 1988,
      languages: [8, 40],
      sections: [101],
      license_no: { 101: '38/1234' },
    },
  })
})
