// The domain of passkeys and the origins that can use them.
import t from 'tap'
import { readConfig } from '../../src/config/index.ts'
import { StartupError } from '../../src/lib/startup-error.ts'
import { passkeyOwner } from '../support/accounts/authenticator.ts'
import { instanceWith } from '../support/service/instance.ts'
import { openService } from '../support/service/service.ts'
import { openWorld } from '../support/service/world.ts'

const FINGERPRINT = Array(32).fill('A1').join(':')
const KEY_HASH = `android:apk-key-hash:${Buffer.alloc(32, 0xa1).toString('base64url')}`
const IOS = 'ABCDE12345.com.example.app'

void t.test('uses any port of localhost outside of production', (t) => {
  t.same(readConfig({}).passkeys, { id: 'localhost', origins: ['http://localhost:*'] })
  const origin = 'http://localhost:5173'
  t.same(readConfig({ WEBAUTHN_ORIGINS: origin }).passkeys, { id: 'localhost', origins: [origin] })
  t.end()
})

void t.test('takes the domain, its subdomains and Android apps', (t) => {
  t.same(readConfig({ WEBAUTHN_RP_ID: 'example.com' }).passkeys, {
    id: 'example.com',
    origins: ['https://example.com'],
  })
  const origins = ['https://www.example.com', 'https://app.example.com:8443']
  const given = { WEBAUTHN_RP_ID: 'example.com', WEBAUTHN_ORIGINS: origins.join(', ') }
  t.same(readConfig(given).passkeys, { id: 'example.com', origins })
  const apps = { WEBAUTHN_ANDROID_APPS: `com.example.app=${FINGERPRINT.toLowerCase()}`, WEBAUTHN_IOS_APPS: IOS }
  const all = readConfig({ ...given, ...apps })
  t.same(all.passkeys?.origins, [...origins, KEY_HASH, 'https://example.com'])
  t.same(all.passkeyApps, { android: [{ name: 'com.example.app', fingerprint: FINGERPRINT }], ios: [IOS] })
  t.end()
})

const WRONG = {
  'an IP address': { WEBAUTHN_RP_ID: '127.0.0.1' },
  'a URL': { WEBAUTHN_RP_ID: 'https://example.com' },
  'upper case': { WEBAUTHN_RP_ID: 'Example.com' },
  'another domain': { WEBAUTHN_RP_ID: 'example.com', WEBAUTHN_ORIGINS: 'https://notexample.com' },
  'a parent domain': { WEBAUTHN_RP_ID: 'app.example.com', WEBAUTHN_ORIGINS: 'https://example.com' },
  'an origin with a path': { WEBAUTHN_RP_ID: 'example.com', WEBAUTHN_ORIGINS: 'https://example.com/login' },
  'an origin without TLS': { WEBAUTHN_RP_ID: 'example.com', WEBAUTHN_ORIGINS: 'http://example.com' },
  'an origin of an app': { WEBAUTHN_RP_ID: 'example.com', WEBAUTHN_ORIGINS: KEY_HASH },
  'an Android app without a fingerprint': { WEBAUTHN_RP_ID: 'example.com', WEBAUTHN_ANDROID_APPS: 'com.example.app' },
  'an iOS app without a team': { WEBAUTHN_RP_ID: 'example.com', WEBAUTHN_IOS_APPS: 'com.example.app' },
  'apps without a domain': { WEBAUTHN_ANDROID_APPS: `com.example.app=${FINGERPRINT}`, WEBAUTHN_IOS_APPS: IOS },
  'localhost of another domain': { WEBAUTHN_RP_ID: 'example.com', WEBAUTHN_ORIGINS: 'http://localhost:3000' },
  'origins without a domain': { WEBAUTHN_ORIGINS: 'https://example.com' },
}

for (const [what, variables] of Object.entries(WRONG)) {
  void t.test(`rejects ${what}`, (t) => {
    t.throws(() => readConfig(variables), { name: 'StartupError', message: /WEBAUTHN_/ })
    t.end()
  })
}

void t.test('does not start with another domain than that of the stored passkeys', async (t) => {
  const service = await openService()
  t.teardown(() => service.close())
  const { keys } = service.config
  const text = 'text' in keys ? keys.text : ''
  await passkeyOwner(await openWorld(service))
  const passkeys = { id: 'example.com', origins: ['https://example.com'] }
  const other = { ...service, config: { ...service.config, passkeys } }
  await t.rejects(
    instanceWith(other, text),
    new StartupError('WEBAUTHN_RP_ID is example.com, but accounts have passkeys of localhost. Set it to localhost.'),
  )
})
