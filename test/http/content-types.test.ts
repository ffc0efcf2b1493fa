// Which values of Content-Type are accepted. A report of another value is one more row.
import t from 'tap'
import { openWorld } from '../support/service/world.ts'

/** Writes a body for a phone number. */
type Write = (phone: string) => string

const fields = { phone_code: '966', otp: '123456' }
const json: Write = (phone) => JSON.stringify({ ...fields, phone })

function form(boundary: string): Write {
  return (phone) => {
    const parts = Object.entries({ ...fields, phone }).map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    return `${parts.join('')}--${boundary}--\r\n`
  }
}

const ACCEPTED: Readonly<Record<string, Write>> = {
  'application/json': json,
  'Application/JSON': json,
  'application/json; charset=utf-8': json,
  'application/json;charset="UTF-8"': json,
  'application/json; charset=utf8; ': json,
  'application/json; profile="a;b=c"': json,
  'multipart/form-data; boundary=b': form('b'),
  'multipart/form-data;boundary="b"': form('b'),
  'multipart/form-data; Boundary=b': form('b'),
  'multipart/form-data; charset=utf-8; boundary=b': form('b'),
  'multipart/form-data; boundary="===============1=="': form('===============1=='),
  'multipart/form-data; boundary================1==': form('===============1=='),
  'multipart/form-data; boundary="a;b"': form('a;b'),
  'multipart/form-data; boundary="a b"': form('a b'),
  'multipart/form-data; boundary="=_(a):/?,b"': form('=_(a):/?,b'),
}

const REJECTED: Readonly<Record<string, string>> = {
  'multipart/form-data': 'multipart_boundary_missing',
  'multipart/form-data; boundary=': 'multipart_boundary_missing',
  'multipart/form-data; boundary=""': 'multipart_boundary_missing',
  'multipart/form-data; boundary=" "': 'multipart_boundary_missing',
  'multipart/form-data; x="boundary=b"': 'multipart_boundary_missing',
  'multipart/mixed; boundary=b': 'media_type_unsupported',
  'application/json; charset=utf-16': 'media_type_unsupported',
  'application/jsonx': 'media_type_unsupported',
  json: 'media_type_unsupported',
}

void t.test('accepts the media types of the document in any notation', async (t) => {
  const world = await openWorld()
  for (const [type, write] of Object.entries(ACCEPTED)) {
    const { status, headers } = await world.send('confirmPhone')({ raw: write(world.newPhone()), type })
    t.same([status, headers['error-code']], [400, 'otp_wrong'], type)
  }
})

void t.test('rejects other media types, and forms without a boundary', async (t) => {
  const world = await openWorld()
  for (const [type, code] of Object.entries(REJECTED)) {
    const { headers } = await world.send('confirmPhone')({ raw: form('b')(world.newPhone()), type })
    t.equal(headers['error-code'], code, type)
  }
})
