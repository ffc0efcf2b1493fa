// URLs of PostgreSQL with the parameters of libpq, and URLs of Redis.
import t from 'tap'
import { describePostgres, parsePostgresUrl } from '../../src/lib/postgres-url.ts'
import { parseRedisUrl } from '../../src/lib/redis-url.ts'

void t.test('reads several hosts of PostgreSQL', (t) => {
  const url = parsePostgresUrl(
    'postgresql://u:p%40ss@a.example:5433,b.example,[::1]:5434/app?target_session_attrs=primary',
  )
  t.same(url.hosts, [
    { host: 'a.example', port: 5433 },
    { host: 'b.example', port: undefined },
    { host: '::1', port: 5434 },
  ])
  t.match(url, { database: 'app', hasPassword: true, target: 'primary', sslMode: 'disable' })
  t.equal(describePostgres(url), 'the database app at a.example:5433, b.example, ::1:5434')
  t.same(
    url.hosts.map((host) => url.toUrl(host, undefined)),
    [
      'postgresql://u:p%40ss@a.example:5433/app',
      'postgresql://u:p%40ss@b.example/app',
      'postgresql://u:p%40ss@[::1]:5434/app',
    ],
  )
  t.end()
})

void t.test('requires a server that can be written only if there are several', (t) => {
  t.equal(parsePostgresUrl('postgres://a/x').target, 'any')
  t.equal(parsePostgresUrl('postgres://a,b/x').target, 'read-write')
  t.equal(parsePostgresUrl('postgres://a,b/x?target_session_attrs=any').target, 'any')
  t.end()
})

void t.test('reads hosts, ports and sockets from the parameters, and leaves other parameters to the driver', (t) => {
  t.same(parsePostgresUrl('postgresql:///x?host=a,b&port=1,2').hosts, [
    { host: 'a', port: 1 },
    { host: 'b', port: 2 },
  ])
  const socket = parsePostgresUrl('postgresql://u@/x?host=/run/postgresql&port=5433')
  t.equal(
    socket.toUrl({ host: '/run/postgresql', port: 5433 }, undefined),
    'postgresql://u@/x?host=%2Frun%2Fpostgresql&port=5433',
  )
  t.same(parsePostgresUrl('postgresql://%2Frun%2Fpostgresql/x').hosts, [{ host: '/run/postgresql', port: undefined }])
  const named = parsePostgresUrl('postgresql://u@a/x?application_name=app&sslmode=require&options=-c%20search_path%3Dy')
  t.equal(named.toUrl({ host: 'a', port: undefined }, 's/@:'), 'postgresql://u:s%2F%40%3A@a/x')
  t.equal(named.applicationName, 'app')
  t.equal(named.options, '-c search_path=y')
  t.end()
})

void t.test('has the TLS modes of libpq', (t) => {
  const mode = (query: string): string => parsePostgresUrl(`postgresql://a/x?${query}`).sslMode
  t.equal(mode(''), 'disable')
  t.equal(mode('sslmode=disable'), 'disable')
  t.equal(mode('sslmode=require'), 'require')
  t.equal(mode('sslmode=require&sslrootcert=/ca.pem'), 'verify-ca')
  t.equal(mode('sslmode=verify-ca&sslrootcert=/ca.pem'), 'verify-ca')
  t.equal(mode('sslmode=verify-full'), 'verify-full')
  t.equal(mode('sslmode=verify-full&sslrootcert=system'), 'verify-full')
  t.equal(mode('ssl=true'), 'verify-full')
  t.end()
})

void t.test('names the problem of an invalid URL without its secrets', (t) => {
  const problems: Record<string, RegExp> = {
    'mysql://u:secret@a/x': /^is not a URL\.$/,
    'postgresql://u:secret@a:99999/x': /^has an invalid host or port\.$/,
    'postgresql://u:secret@[x/y': /^has an invalid host or port\.$/,
    'postgresql://u:secret@a,,b/x?sslmode=maybe':
      /^has an unknown sslmode\. Use disable, require, verify-ca, verify-full\.$/,
    'postgresql://u:secret@a/x?sslmode=prefer': /^has sslmode=prefer, which falls back to a connection without TLS\./,
    'postgresql://u:secret@a/x?sslmode=verify-ca': /^has sslmode=verify-ca without sslrootcert\.$/,
    'postgresql://u:secret@a/x?sslmode=require&sslrootcert=system': /^has sslrootcert=system, which needs/,
    'postgresql://u:secret@a/x?sslrootcert=/ca.pem': /^has sslrootcert without an sslmode/,
    'postgresql://u:secret@a/x?target_session_attrs=standby': /^has an unknown target_session_attrs\. Use any,/,
  }
  for (const [url, problem] of Object.entries(problems))
    t.throws(() => parsePostgresUrl(url), { message: problem }, url)
  t.end()
})

void t.test('reads URLs of Redis: one server, sentinels and clusters', (t) => {
  t.match(parseRedisUrl('redis://app:secret@a:6380/2'), {
    kind: 'single',
    isTls: false,
    hasPassword: true,
    hosts: [{ host: 'a', port: 6380 }],
  })
  t.match(parseRedisUrl('rediss://a'), {
    kind: 'single',
    isTls: true,
    hasPassword: false,
    hosts: [{ host: 'a', port: 6379 }],
  })
  t.match(parseRedisUrl('redis+sentinel://:p%40ss@a,b:26380/mymaster/3'), {
    kind: 'sentinel',
    isTls: false,
    hosts: [
      { host: 'a', port: 26_379 },
      { host: 'b', port: 26_380 },
    ],
    master: 'mymaster',
    database: 3,
    password: 'p@ss',
  })
  t.match(parseRedisUrl('rediss+cluster://app:secret@[::1]:7000,b'), {
    kind: 'cluster',
    isTls: true,
    hosts: [
      { host: '::1', port: 7000 },
      { host: 'b', port: 6379 },
    ],
    user: 'app',
    password: 'secret',
  })
  for (const url of [
    'redis',
    'http://a',
    'redis+sentinel://a',
    'redis+cluster://a/master',
    'redis+cluster://',
    'redis+other://a',
  ])
    t.equal(parseRedisUrl(url), undefined, url)
  t.end()
})
