// The files with which a domain names the apps that use its passkeys.
import t from 'tap'
import { openService } from '../support/service/service.ts'

const PATHS = ['assetlinks.json', 'apple-app-site-association']

void t.test('serves the configured apps to Android and iOS', async (t) => {
  const fingerprint = Array(32).fill('A1').join(':')
  const passkeyApps = { android: [{ name: 'com.example.app', fingerprint }], ios: ['ABCDE12345.com.example.app'] }
  const service = await openService({ config: { passkeyApps } })
  t.teardown(() => service.close())
  const responses = await Promise.all(PATHS.map((path) => fetch(`${service.origin}/.well-known/${path}`)))
  for (const { status, headers } of responses) {
    t.equal(status, 200)
    t.match(headers.get('content-type'), /^application\/json/)
  }
  const [links, association] = await Promise.all(responses.map((response) => response.json()))
  t.match(links, [
    {
      relation: [/handle_all_urls$/, /get_login_creds$/],
      target: {
        namespace: 'android_app',
        package_name: 'com.example.app',
        sha256_cert_fingerprints: [fingerprint],
      },
    },
  ])
  t.same(association, { webcredentials: { apps: passkeyApps.ios } })
})

void t.test('has no file without apps', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  for (const path of PATHS) t.equal((await fetch(`${service.origin}/.well-known/${path}`)).status, 404)
})
