// Parsing of the environment, and the messages for invalid variables.
import t from 'tap'
import { readConfig, type Config } from '../../src/config/index.ts'

/** Reads the configuration of a service in development, unless the variables have another environment. */
function configOf(variables: Record<string, string>): Config {
  return readConfig({ NODE_ENV: 'development', ...variables })
}

function problemsOf(variables: Record<string, string>): string[] {
  try {
    configOf(variables)
    return []
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }
}

const S3 = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }

void t.test('has a default for every variable in development', (t) => {
  t.match(configOf({}), {
    host: '127.0.0.1',
    port: 3000,
    dataDir: './data',
    bcryptCost: 10,
    defaultLanguage: 'ar',
    hasDemoData: true,
  })
  t.equal(configOf({}).sms.countries, undefined)
  t.end()
})

const OF_PRODUCTION = {
  DATABASE_URL: 'postgresql://localhost/x',
  REDIS_URL: 'redis://localhost',
  KEYS: '{}',
  KEYS_FILE: '/run/keys.json',
  SMS_PROVIDERS: 'twilio',
  SMS_PROVIDERS_966: 'unifonic',
  SMTP_URL: 'smtp://mail.example',
  S3_BUCKET: 'files',
  PUBLIC_URL: 'https://accounts.example',
  TRUST_PROXY: '10.0.0.0/8',
}

void t.test('does not start as development if NODE_ENV is not set, but a variable of production is', (t) => {
  const harmless = { DATA_DIR: '/srv', PORT: '4000', LOG_LEVEL: 'debug', SMS_PROVIDERS: 'log', DATABASE_URL: ' ' }
  t.same(problemsOf({ NODE_ENV: '', ...harmless }), [])
  t.same(configOf(harmless).warnings, [])
  for (const [name, value] of Object.entries(OF_PRODUCTION)) {
    for (const NODE_ENV of ['', ' ']) {
      const [problem = ''] = problemsOf({ NODE_ENV, [name]: value })
      t.match(problem, `NODE_ENV is not set, but ${name} is set. For real users, set NODE_ENV=production.`)
      t.match(problem, /demo accounts, whose password is public, and \/dev\/outbox/)
    }
  }
  const { DATABASE_URL, SMTP_URL, TRUST_PROXY } = OF_PRODUCTION
  const given = { DATABASE_URL, SMTP_URL, TRUST_PROXY }
  t.match(problemsOf({ NODE_ENV: '', ...given }), [
    /^NODE_ENV is .*but DATABASE_URL, SMTP_URL, and TRUST_PROXY are set/,
  ])
  t.match(configOf(given).warnings, [
    /^NODE_ENV is development, but DATABASE_URL, SMTP_URL, and TRUST_PROXY are set\..* demo accounts.* \/dev\/outbox/,
  ])
  t.same(configOf({ NODE_ENV: 'test', ...given }).warnings, [])
  t.end()
})

void t.test('reads what the document says about the installation, and rejects what is no address', (t) => {
  t.same(configOf({}).installation, { url: undefined, contact: undefined, terms: undefined })
  const given = { PUBLIC_URL: 'https://accounts.example/', DOCUMENT_TERMS: 'https://example.com/terms' }
  t.same(configOf({ ...given, DOCUMENT_CONTACT: 'api@example.com' }).installation, {
    url: 'https://accounts.example',
    contact: 'api@example.com',
    terms: 'https://example.com/terms',
  })
  for (const contact of ['https://example.com/support', 'http://10.0.0.1', 'a@b'])
    t.equal(configOf({ DOCUMENT_CONTACT: contact }).installation.contact, contact)
  for (const contact of ['example.com', 'mailto:a@b', 'https://', 'a@', '@b', 'a b@c', 'ftp://x'])
    t.match(problemsOf({ DOCUMENT_CONTACT: contact }), [
      /^DOCUMENT_CONTACT: .*an http or https URL, or an e-mail address/,
    ])
  t.match(problemsOf({ DOCUMENT_TERMS: 'terms' }), [/^DOCUMENT_TERMS: .*an http or https URL/])
  t.end()
})

void t.test('treats empty variables as absent and trims values', (t) => {
  t.equal(configOf({ PORT: '' }).port, 3000)
  t.equal(configOf({ PORT: ' 12 ' }).port, 12)
  t.same(configOf({ CORS_ORIGINS: 'https://a.example, https://b.example' }).corsOrigins, [
    'https://a.example',
    'https://b.example',
  ])
  t.end()
})

void t.test('names invalid values together with the valid ones', (t) => {
  const wrong: Record<string, string[]> = {
    PORT: ['abc', '-1', '65536', '3000.5', '0x10', '1e3', '٣٠٠٠'],
    BCRYPT_COST: ['9', '16'],
    ACCESS_TOKEN_TTL: ['59', '1h'],
    RECENT_PROOF_SECONDS: ['59', '86401'],
    DATABASE_URL: ['mysql://x', 'localhost'],
    REDIS_URL: ['http://x', 'redis'],
    REDIS_PREFIX: ['a b', 'ا'],
    SMS_WEBHOOK_URL: ['ftp://x', '/sms'],
    SMS_PROVIDERS: ['pigeon', 'log,pigeon', ','],
    SMS_BUDGET_PER_DAY: ['0', 'many'],
    SMS_TEST_NUMBERS: ['+966500000099', '966500000099=123456', '+966500000099=12345'],
    SMS_TEST_NUMBERS_IN_PRODUCTION: ['no'],
    SMS_COUNTRIES: ['+966', 'SA', '0'],
    PHONE_NUMBER_RANGES: [
      '96652xxxxxxx',
      '+966521234567',
      '+96xx',
      '+96652xxxxxxxxxxx',
      '+96652xxx5xxx',
      '+966 52xxxxxxx',
    ],
    TRUST_PROXY: ['1', 'true', '999.1.1.1', '10.0.0.0/99'],
    CORS_ORIGINS: ['*', 'app.example', 'https://app.example/'],
    NATIONAL_ID_CHECK: ['off', 'true'],
    DEFAULT_LANGUAGE: ['fr', 'AR'],
    LOG_LEVEL: ['loud'],
    NODE_ENV: ['prod'],
    ALLOW_PUBLIC_DEVELOPMENT: ['no', 'true'],
    ALLOW_INSECURE_URLS: ['yes', 'SMTP_URL,S3_ENDPOINT'],
    S3_ENDPOINT: ['ftp://x', 'localhost:9000'],
    S3_FORCE_PATH_STYLE: ['yes', '1'],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values)
      t.match(
        problemsOf({ ...S3, [name]: value }),
        [new RegExp(`^${name}: invalid value.*\\. Expected .+\\.$`)],
        `${name}=${value}`,
      )
  }
  t.end()
})

void t.test('rejects a management port that is also the port of the API', (t) => {
  t.same(problemsOf({ PORT: '4000', MANAGEMENT_PORT: '4000' }), [
    'MANAGEMENT_PORT: 4000 is also PORT. Set another port.',
  ])
  t.same(problemsOf({ PORT: '0', MANAGEMENT_PORT: '0' }), [], 'any free ports')
  t.end()
})

void t.test('does not show invalid secrets', (t) => {
  t.notMatch(problemsOf({ DATABASE_URL: 'mysql://user:secret@x' }).join(), 'secret')
  t.notMatch(problemsOf({ REDIS_URL: 'http://:secret@x' }).join(), 'secret')
  t.notMatch(problemsOf({ SMS_TEST_NUMBERS: '966500000099=654321' }).join(), '654321')
  t.end()
})

void t.test('rejects trusted proxies that are most of the internet', (t) => {
  const wide = [
    ...['0.0.0.0/1,128.0.0.0/1', '128.0.0.0/1,64.0.0.0/2', '::ffff:0:0/96', '::/1', '2000::/3', '2000::/4,3000::/4'],
    ['11.0.0.0/8', ...Array.from({ length: 128 }, (_, at) => `${at * 2}.0.0.0/8`)].join(),
  ]
  for (const TRUST_PROXY of wide)
    t.match(problemsOf({ TRUST_PROXY }), [/^TRUST_PROXY has more than half of all addresses.* Set it to/], TRUST_PROXY)
  const narrow = ['10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,127.0.0.1', '128.0.0.0/1', 'fc00::/7,fe80::/10,::1']
  for (const TRUST_PROXY of narrow) t.same(problemsOf({ TRUST_PROXY }), [], TRUST_PROXY)
  t.match(problemsOf({ TRUST_PROXY: '::/1,x' }), [/^TRUST_PROXY: invalid value/])
  t.end()
})

void t.test('suggests the variable for a misspelled name', (t) => {
  const near = {
    DATABSE_URL: 'DATABASE_URL',
    DATABASE_URI: 'DATABASE_URL',
    PROT: 'PORT',
    database_url: 'DATABASE_URL',
    LOGLEVEL: 'LOG_LEVEL',
    SMS_PROVIDER: 'SMS_PROVIDERS',
    DATADIR: 'DATA_DIR',
  }
  for (const [name, meant] of Object.entries(near)) {
    t.same(problemsOf({ [name]: 'x' }), [`${name} is not a known variable. Did you mean ${meant}?`])
  }
  t.same(
    problemsOf({ DATABASE_URI: 'x', DATABASE_URL: 'postgresql://localhost/x' }),
    [],
    'unless the known variable is set too',
  )
  t.same(
    problemsOf({
      PATH: '/bin',
      HOME: '/',
      HOSTNAME: 'x',
      LANG: 'C',
      TERM: 'x',
      USER: 'x',
      npm_config_cache: 'x',
      NODE_OPTIONS: 'x',
    }),
    [],
  )
  t.end()
})

void t.test('requires the settings of each SMS provider', (t) => {
  t.same(configOf({}).sms.providers, [{ kind: 'log', name: 'log' }])
  const given = { SMS_PROVIDERS: 'webhook,log', SMS_WEBHOOK_URL: 'https://sms.example/', SMS_WEBHOOK_TOKEN: 'x' }
  t.same(configOf(given).sms.providers, [
    {
      kind: 'webhook',
      name: 'webhook',
      url: 'https://sms.example/',
      token: 'x',
      timeoutMs: 4000,
      channels: new Set(['sms']),
      receipts: undefined,
    },
    { kind: 'log', name: 'log' },
  ])
  t.match(problemsOf({ ...given, SMS_WEBHOOK_URL: '' }), [
    /^SMS_WEBHOOK_URL is not set: SMS_PROVIDERS includes webhook/,
  ])
  t.end()
})

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgresql://localhost/x',
  REDIS_URL: 'redis://localhost',
  SMS_PROVIDERS: 'webhook',
  SMS_WEBHOOK_URL: 'https://sms.example/',
  KEYS_FILE: '/run/keys.json',
  FILES_DIR: '/srv/files',
}

const SIGNING_SECRETS = ['a', 'b'].map((text) => `whsec_${Buffer.alloc(32, text).toString('base64')}`)
const NAMED = { name: 'backup', url: 'https://backup.example/', token: 'open-sesame' }

void t.test('reads webhooks with names, each with its own token and secrets', (t) => {
  const first = { ...NAMED, timeout: 2, channels: ['sms', 'voice'], receipt_secrets: SIGNING_SECRETS }
  const list = [first, { name: 'third', url: 'https://third.example/' }]
  const given = { SMS_PROVIDERS: 'third,backup', SMS_PROVIDERS_20: 'backup' }
  const { providers, countryProviders } = configOf({ ...given, SMS_WEBHOOKS: JSON.stringify(list) }).sms
  const common = { kind: 'webhook', token: undefined, timeoutMs: 4000, channels: new Set(['sms']), receipts: undefined }
  const backup = {
    ...{ ...common, ...NAMED, timeoutMs: 2000, channels: new Set(['sms', 'voice']) },
    receipts: { secrets: SIGNING_SECRETS, variables: ['SMS_WEBHOOKS'] },
  }
  t.same(providers, [{ ...common, name: 'third', url: 'https://third.example/' }, backup])
  t.same(countryProviders.get('20'), [backup])
  const problems = (...webhooks: object[]): string[] =>
    problemsOf({ ...given, SMS_PROVIDERS: 'backup', SMS_WEBHOOKS: JSON.stringify(webhooks) })
  t.match(problems({ ...NAMED, tokn: 'open-sesame' }), [/^SMS_WEBHOOKS: invalid value of \/0\/tokn\. Expected a JSON/])
  t.notMatch(problems({ ...NAMED, tokn: 'open-sesame' }).join(), 'open-sesame')
  for (const wrong of [
    { url: 'ftp://x' },
    { timeout: 5 },
    { channels: [] },
    { receipt_secrets: ['x'] },
    { name: 'A b' },
  ])
    t.match(problems({ ...NAMED, ...wrong }), [/^SMS_WEBHOOKS: invalid value of \/0\//], JSON.stringify(wrong))
  t.match(problems(NAMED, NAMED), [/^SMS_WEBHOOKS: the name backup is in use/])
  t.match(problems({ ...NAMED, name: 'twilio' }, NAMED), [/^SMS_WEBHOOKS: the name twilio is in use/])
  t.match(problemsOf({ SMS_WEBHOOKS: '{' }), [/^SMS_WEBHOOKS: invalid value\. Expected a JSON list/])
  t.match(problems({ ...NAMED, channels: ['voice'] }), [/^SMS_PROVIDERS: none of the providers sends SMS/])
  const production = { ...PRODUCTION, SMS_WEBHOOKS: JSON.stringify([{ ...NAMED, url: 'http://backup.example/' }]) }
  t.match(problemsOf(production), [
    /^SMS_WEBHOOKS: http:\/\/ is not allowed.*or add SMS_WEBHOOKS to ALLOW_INSECURE_URLS/,
  ])
  t.same(problemsOf({ ...production, ALLOW_INSECURE_URLS: 'SMS_WEBHOOKS' }), [])
  t.end()
})

const COUNTRIES = {
  SMS_PROVIDERS: 'twilio',
  SMS_PROVIDERS_966: 'unifonic, taqnyat',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'x',
  TWILIO_FROM: '+15557122661',
  UNIFONIC_APP_SID: 'x',
  UNIFONIC_SENDER_ID: 'Tawthiq',
  TAQNYAT_TOKEN: 'x',
  TAQNYAT_SENDER: 'Tawthiq',
}

void t.test('reads the SMS providers of a country', (t) => {
  const { providers, countryProviders } = configOf(COUNTRIES).sms
  t.same(
    providers.map(({ kind }) => kind),
    ['twilio'],
  )
  t.same(
    countryProviders.get('966')?.map(({ kind }) => kind),
    ['unifonic', 'taqnyat'],
  )
  t.match(problemsOf({ ...COUNTRIES, TAQNYAT_TOKEN: '' }), [
    /^TAQNYAT_TOKEN is not set: SMS_PROVIDERS includes taqnyat/,
  ])
  t.match(problemsOf({ SMS_PROVIDERS_966: 'pigeon' }), [
    /^SMS_PROVIDERS_966: invalid value "pigeon"\. Expected a list of/,
  ])
  t.match(problemsOf({ ...PRODUCTION, SMS_PROVIDERS_20: 'log' }), [/log is not allowed in production/])
  t.match(problemsOf({ ...PRODUCTION, ...COUNTRIES, UNIFONIC_API_URL: 'http://127.0.0.1:1' }), [
    /^UNIFONIC_API_URL: http:\/\/ is not allowed in production/,
  ])
  t.end()
})

void t.test('requires every dependency in production', (t) => {
  const given = PRODUCTION
  const config = configOf(given)
  t.match(config, { isProduction: true, hasDemoData: false, host: '0.0.0.0', bcryptCost: 12 })
  t.same([...(config.sms.countries ?? [])], ['966'])
  for (const name of Object.keys(given).filter((each) => each !== 'NODE_ENV')) {
    t.match(problemsOf({ ...given, [name]: '' }), [new RegExp(`^${name} is not set: `)], name)
  }
  t.equal(problemsOf({ ...given, SMS_PROVIDERS: '' }).length, 1, 'its default is not named as a second problem')
  const testing = { ...given, SMS_TEST_NUMBERS: '+966500000099=123456' }
  t.match(problemsOf(testing), [
    /^SMS_TEST_NUMBERS is not allowed in production\. Remove it, or set SMS_TEST_NUMBERS_IN_PRODUCTION=yes/,
  ])
  t.same(problemsOf({ ...testing, SMS_TEST_NUMBERS_IN_PRODUCTION: 'yes' }), [])
  t.match(problemsOf({ ...given, SMS_PROVIDERS: 'webhook,log' }), [/^SMS_PROVIDERS: log is not allowed in production/])
  t.end()
})

void t.test('accepts one complete file store only', (t) => {
  t.match(configOf({ DATA_DIR: '/srv' }), { files: { directory: '/srv/files' }, uploadsDirectory: '/srv/uploads' })
  t.match(configOf(S3), { files: { s3: { bucket: 'files', region: 'us-east-1', forcePathStyle: false } } })
  for (const name of Object.keys(S3)) {
    t.match(problemsOf({ ...S3, [name]: '' }), [new RegExp(`^${name} is not set: S3 variables are set`)], name)
  }
  t.match(problemsOf({ ...S3, FILES_DIR: '/srv' }), [
    /^FILES_DIR and S3 variables are set\. Set either FILES_DIR or S3_BUCKET, not both/,
  ])
  t.end()
})

void t.test('requires the webhook URL and its secrets together', (t) => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const url = 'https://crm.example/events'
  const given = { EVENTS_WEBHOOK_URL: url, EVENTS_WEBHOOK_SECRETS: `${secret},${secret}` }
  t.same(configOf(given).events, { url, secrets: [secret, secret] })
  t.equal(configOf({}).events, undefined)
  for (const name of Object.keys(given))
    t.match(problemsOf({ ...given, [name]: '' }), [new RegExp(`^${name} is not set: `)], name)
  const named = { ...given, EVENTS_WEBHOOK_URL: 'https://name:word@crm.example/' }
  t.match(problemsOf(named), [/^EVENTS_WEBHOOK_URL: invalid value\. Expected .*without user name and password/])
  const [problem = ''] = problemsOf({ ...given, EVENTS_WEBHOOK_SECRETS: 'whsec_short' })
  t.match(problem, /^EVENTS_WEBHOOK_SECRETS: invalid value\. Expected/)
  t.notMatch(problem, /short/)
  t.end()
})

void t.test('requires the verifier of challenges and its secret together', (t) => {
  const given = { CAPTCHA_VERIFY_URL: 'https://captcha.example/siteverify', CAPTCHA_SECRET: 'key' }
  t.same(configOf(given).captcha, { url: given.CAPTCHA_VERIFY_URL, secret: 'key' })
  t.equal(configOf({}).captcha, undefined)
  for (const name of Object.keys(given))
    t.match(problemsOf({ ...given, [name]: '' }), [new RegExp(`^${name} is not set: `)], name)
  t.end()
})

void t.test('reads the rules against SMS pumping', (t) => {
  const { mode, unconfirmed } = configOf({}).sms.fraud
  t.equal(mode, 'enforce')
  const defaults = { perHomeCountry: 2000, perOtherCountry: 100, networkPercent: 5 }
  t.same(unconfirmed, { homeCountries: new Set(['966']), ...defaults })
  const given = { SMS_FRAUD_MODE: 'record', SMS_HOME_COUNTRIES: '966,971', SMS_BUDGET_NETWORK_PERCENT: '7' }
  const changed = configOf(given).sms.fraud
  t.equal(changed.mode, 'record')
  t.same(changed.unconfirmed, { ...defaults, homeCountries: new Set(['966', '971']), networkPercent: 7 })
  t.match(problemsOf({ SMS_FRAUD_MODE: 'off' }), [
    /^SMS_FRAUD_MODE: invalid value "off"\. Expected one of enforce, record/,
  ])
  t.end()
})

void t.test('rejects a public host in development unless it is allowed', (t) => {
  const loopback = ['127.0.0.1', '127.255.0.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', 'localhost', 'LocalHost']
  const others = ['0.0.0.0', '::', '192.168.1.5', '10.0.0.1', '126.255.255.255', '::2', '::ffff:10.0.0.1']
  const names = [
    'app',
    'example.org',
    'localhost.example.org',
    '127.0.0.1.example.org',
    '127.1',
    '0',
    'fe80::1%lo',
    '[::1]',
  ]
  for (const NODE_ENV of ['', 'development', 'test']) {
    for (const HOST of loopback) t.same(problemsOf({ NODE_ENV, HOST }), [], HOST)
    for (const HOST of [...others, ...names]) {
      const [problem = '', ...more] = problemsOf({ NODE_ENV, HOST })
      t.match(problem, `HOST: "${HOST}" is not allowed outside production`)
      t.match(problem, /demo accounts, whose password is public.*\/dev\/outbox.*ALLOW_PUBLIC_DEVELOPMENT=yes/)
      t.same(more, [])
      t.equal(configOf({ NODE_ENV, HOST, ALLOW_PUBLIC_DEVELOPMENT: 'yes' }).host, HOST)
    }
  }
  for (const HOST of others)
    t.same(problemsOf({ ...PRODUCTION, HOST }), [], 'production listens on any configured host')
  t.match(problemsOf({ NODE_ENV: 'prod', HOST: '0.0.0.0' }), [/^NODE_ENV: /], 'one mistake is reported once')
  t.end()
})

void t.test('rejects all plain http URLs in production unless they are allowed by name', (t) => {
  const insecure = {
    SMS_WEBHOOK_URL: 'http://sms.example/',
    EVENTS_WEBHOOK_URL: 'http://127.0.0.1:4000/',
    PASSWORD_RESET_URL: 'http://app.example/reset',
    EMAIL_CONFIRMATION_URL: 'http://app.example/email',
  }
  const names = Object.keys(insecure) as (keyof typeof insecure)[]
  const given = { EVENTS_WEBHOOK_SECRETS: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, ...insecure }
  t.same(problemsOf({ ...given, SMS_PROVIDERS: 'webhook' }), [], 'they are allowed outside production')
  const expected = (refused: readonly string[]): RegExp[] =>
    refused.map(
      (name) => new RegExp(`^${name}: http:// is not allowed.* Use https://, or add ${name} to ALLOW_INSECURE_URLS`),
    )
  const problems = problemsOf({ ...PRODUCTION, ...given })
  t.match(problems, expected(names))
  t.equal(problems.length, names.length)
  for (const name of names) {
    const allowed = problemsOf({ ...PRODUCTION, ...given, ALLOW_INSECURE_URLS: name })
    t.equal(allowed.length, names.length - 1)
    t.notMatch(allowed.join('\n'), new RegExp(`^${name}`, 'm'))
  }
  t.same(problemsOf({ ...PRODUCTION, ...given, ALLOW_INSECURE_URLS: names.join(', ') }), [])
  const secure = Object.fromEntries(names.map((name) => [name, 'https://other.example/']))
  t.same(problemsOf({ ...PRODUCTION, ...given, ...secure }), [])
  t.same(
    problemsOf({ ...PRODUCTION, ...S3, FILES_DIR: '', S3_ENDPOINT: 'http://minio:9000' }),
    [],
    'a host name without a domain is in the private network',
  )
  t.end()
})

void t.test('warns of settings that are ignored or lack something', (t) => {
  const complete = { ...PRODUCTION, TRUST_PROXY: '10.0.0.0/8' }
  const warningsOf = (variables: Record<string, string>): readonly string[] =>
    configOf({ ...complete, ...variables }).warnings
  t.same(warningsOf({}), [])
  const rows: [Record<string, string>, RegExp][] = [
    [
      { TRUST_PROXY: '' },
      /^TRUST_PROXY is not set: behind a proxy, all clients share the rate limits of one address\./,
    ],
    [{ RATE_LIMIT_LOGIN: '5' }, /^RATE_LIMIT_LOGIN is not a known variable and is ignored/],
    [{ TOKEN_SECRET: 'x' }, /^TOKEN_SECRET is not a known variable and is ignored/],
    [{ WEBAUTHN_NAME: 'x' }, /^WEBAUTHN_NAME is not a known variable and is ignored/],
    [{ PASSWORD_RESET_URL: 'https://localhost:5173/reset' }, /^PASSWORD_RESET_URL is on localhost, which users cannot/],
    [{ FACTOR_RESET_URL: 'https://[::1]/' }, /^FACTOR_RESET_URL is on localhost/],
    [{ PUBLIC_URL: 'https://localhost' }, /^PUBLIC_URL is on localhost.* URL of the service\.$/],
    [{ SMS_COUNTRIES: '971' }, /^SMS_HOME_COUNTRIES includes 966, but SMS_COUNTRIES does not/],
    [{ SMS_HOME_COUNTRIES: '966,20' }, /^SMS_HOME_COUNTRIES includes 20, but SMS_COUNTRIES does not/],
    [{ SMS_PROVIDERS_20: 'webhook' }, /^SMS_PROVIDERS_20 has no effect, because SMS_COUNTRIES does not include 20/],
    [
      { SMS_BUDGET_PER_COUNTRY_PER_DAY: '9000', SMS_BUDGET_PER_DAY: '8000' },
      /^SMS_BUDGET_PER_COUNTRY_PER_DAY is 9000, but SMS_BUDGET_PER_DAY only 8000\. Set it to less\.$/,
    ],
    [
      { SMS_UNCONFIRMED_PER_HOME_COUNTRY_PER_DAY: '5001' },
      /^SMS_UNCONFIRMED_PER_HOME_COUNTRY_PER_DAY is 5001, but SMS_BUDGET_PER_COUNTRY_PER_DAY only 5000/,
    ],
    [{ SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY: '2001' }, /^SMS_UNCONFIRMED_PER_COUNTRY_PER_DAY is 2001, but/],
    [{ MANAGEMENT_PORT: '9464', MANAGEMENT_HOST: '0.0.0.0' }, /^MANAGEMENT_HOST has every network of this machine/],
  ]
  for (const [variables, expected] of rows) t.match(warningsOf(variables), [expected], JSON.stringify(variables))
  for (const harmless of [
    { SMS_BUDGET_PER_DAY: '100' },
    { SMS_COUNTRIES: 'all', SMS_PROVIDERS_20: 'webhook' },
    { MANAGEMENT_PORT: '9464', MANAGEMENT_HOST: '10.0.0.7' },
    { MANAGEMENT_PORT: '9464', MANAGEMENT_HOST: '0.0.0.0', KUBERNETES_SERVICE_HOST: '10.0.0.1' },
    { MANAGEMENT_HOST: '0.0.0.0' },
  ])
    t.same(warningsOf(harmless), [], JSON.stringify(harmless))
  t.end()
})

const SENDING = { ...PRODUCTION, MAIL_FROM: 'Tawthiq <no-reply@app.example>' }

void t.test('requires a sender for e-mails in production', (t) => {
  const given = { ...PRODUCTION, SMTP_URL: 'smtp://mail.example' }
  t.match(problemsOf(given), [/^MAIL_FROM is not set: /])
  t.same(problemsOf({ ...SENDING, SMTP_URL: 'smtp://mail.example' }), [])
  t.same(problemsOf({ SMTP_URL: 'smtp://mail.example' }), [], 'outside production, the default is used')
  t.end()
})

void t.test('rejects a mail server without a host, and a sender without an address', (t) => {
  t.match(problemsOf({ ...SENDING, SMTP_URL: 'smtp://' }), [/^SMTP_URL: /])
  for (const from of ['abc', 'Tawthiq <abc>', 'a b@app.example', '<a@app.example'])
    t.match(problemsOf({ MAIL_FROM: from }), [/^MAIL_FROM: /], from)
  for (const from of ['a@app.example', '<a@app.example>', 'توثيق @ التطبيق <a@app.example>'])
    t.same(problemsOf({ MAIL_FROM: from }), [], from)
  t.end()
})

void t.test('rejects options of SMTP_URL that disable TLS in production', (t) => {
  const refused = [
    'ignoreTLS=true',
    'requireTLS=false',
    'opportunisticTLS=true',
    'secure=false',
    'tls.rejectUnauthorized=false',
    'tls.rejectUnauthorized=0',
    'tls.minVersion=TLSv1',
    'tls.ciphers=NULL',
    'service=MailHog',
    'requireTLS=true&requireTLS=false',
    'logger=true',
  ]
  for (const scheme of ['smtp', 'smtps']) {
    const url = `${scheme}://name:open-sesame@mail.example:587`
    t.same(problemsOf({ ...SENDING, SMTP_URL: url }), [])
    t.same(problemsOf({ ...SENDING, SMTP_URL: `${url}?name=app.example&requireTLS=true&tls.minVersion=TLSv1.3` }), [])
    for (const options of refused) {
      const SMTP_URL = `${url}?${options}`
      const problems = problemsOf({ ...SENDING, SMTP_URL })
      t.match(problems, [/^SMTP_URL: the option "[\w.]+" is not allowed in production.*ALLOW_INSECURE_URLS/], options)
      t.notMatch(problems.join(), 'open-sesame')
      t.same(problemsOf({ SMTP_URL }), [], 'outside production all are accepted')
      t.same(problemsOf({ ...SENDING, SMTP_URL, ALLOW_INSECURE_URLS: 'SMTP_URL' }), [])
    }
  }
  t.end()
})

const TWILIO_ALL = {
  SMS_PROVIDERS: 'twilio',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'x',
  TWILIO_FROM: 'Tawthiq',
  TWILIO_WHATSAPP_FROM: '+15557122661',
  TWILIO_WHATSAPP_CONTENT_SID_AR: `HX${'a'.repeat(32)}`,
  TWILIO_WHATSAPP_CONTENT_SID_EN: `HX${'e'.repeat(32)}`,
  TWILIO_VOICE_FROM: '+15557122662',
}

void t.test('reads the channels of SMS providers', (t) => {
  t.match(configOf(TWILIO_ALL).sms.providers, [
    { whatsapp: { from: '+15557122661' }, voice: { from: '+15557122662' }, receipts: undefined, kind: 'twilio' },
  ])
  t.match(problemsOf({ ...TWILIO_ALL, TWILIO_WHATSAPP_CONTENT_SID_EN: '' }), [
    /^TWILIO_WHATSAPP_CONTENT_SID_EN is not set: TWILIO_WHATSAPP_FROM is set/,
  ])
  const webhook = { SMS_PROVIDERS: 'webhook', SMS_WEBHOOK_URL: 'https://sms.example/' }
  const [provider] = configOf({ ...webhook, SMS_WEBHOOK_CHANNELS: 'whatsapp, sms' }).sms.providers
  t.same(provider?.kind === 'webhook' && [...(provider.channels ?? [])], ['whatsapp', 'sms'])
  t.match(problemsOf({ ...webhook, SMS_WEBHOOK_CHANNELS: 'whatsapp' }), [
    /^SMS_PROVIDERS: none of the providers sends SMS/,
  ])
  t.match(problemsOf({ ...webhook, SMS_WEBHOOK_CHANNELS: 'pigeon' }), [/^SMS_WEBHOOK_CHANNELS: invalid value/])
  t.end()
})

void t.test('reads the texts of SMS', (t) => {
  const text = 'Code {code}, {minutes} minutes'
  t.same(configOf({ SMS_OTP_TEXT_EN: text, SMS_RESET_TEXT_AR: 'رمز {code}' }).sms.codeTexts, {
    verification: { en: text },
    reset: { ar: 'رمز {code}' },
  })
  for (const wrong of ['no code', '{code} {name}', '{code} {', `{code}${'x'.repeat(300)}`])
    t.match(problemsOf({ SMS_OTP_TEXT_EN: wrong }), [/^SMS_OTP_TEXT_EN: invalid value/], wrong)
  t.equal(configOf({ SMS_WEBOTP_DOMAIN: 'app.example.com' }).sms.webOtpHost, 'app.example.com')
  for (const wrong of [
    'https://app.example.com',
    'localhost',
    '192.0.2.1',
    'a..b',
    '-a.example',
    'App.example',
    '[::1]',
  ])
    t.match(problemsOf({ SMS_WEBOTP_DOMAIN: wrong }), [/^SMS_WEBOTP_DOMAIN: invalid value/], wrong)
  t.end()
})
