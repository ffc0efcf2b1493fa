// Client data that no browser signs for this service, or not now.
import { ORIGIN } from '../accounts/authenticator.ts'
import type { ClientData } from './parts.ts'

/** Challenges that the service has issued for something else, or before */
export type Foreign = Readonly<
  Record<'expired' | 'of another operation' | 'of another account' | 'of a session', string>
>

/** Returns client data: an object to serialize, or its bytes. */
type Hostile = (data: ClientData, foreign: Foreign) => object | Buffer

const { stringify } = JSON
const DEPTH = 1500

export const CLIENT_DATA: Readonly<Record<string, Hostile>> = {
  'another origin': (data) => ({ ...data, origin: 'https://evil.example' }),
  'an origin that begins like the right one': (data) => ({ ...data, origin: `${ORIGIN}.evil.example` }),
  'an origin with a user name': (data) => ({ ...data, origin: 'http://localhost@evil.example' }),
  'an origin with a path': (data) => ({ ...data, origin: `${ORIGIN}/` }),
  'an origin in capital letters': (data) => ({ ...data, origin: ORIGIN.toUpperCase() }),
  'an origin with a NUL': (data) => ({ ...data, origin: `${ORIGIN}\0` }),
  'an origin with a line feed': (data) => ({ ...data, origin: `${ORIGIN}\n` }),
  'an origin of another scheme': (data) => ({ ...data, origin: 'https://localhost' }),
  'an origin with a port of six digits': (data) => ({ ...data, origin: `${ORIGIN}:808080` }),
  'a list of origins': (data) => ({ ...data, origin: [ORIGIN] }),
  'no origin': ({ type, challenge }) => ({ type, challenge }),
  'the type of the other ceremony': (data) => ({
    ...data,
    type: data.type === 'webauthn.get' ? 'webauthn.create' : 'webauthn.get',
  }),
  'a list of types': (data) => ({ ...data, type: [data.type] }),
  'no type': ({ challenge, origin }) => ({ challenge, origin }),
  'no challenge': ({ type, origin }) => ({ type, origin }),
  'an empty challenge': (data) => ({ ...data, challenge: '' }),
  'a challenge that is a number': (data) => ({ ...data, challenge: 1 }),
  'a list of challenges': (data) => ({ ...data, challenge: [data.challenge] }),
  'a challenge without its last character': (data) => ({ ...data, challenge: data.challenge.slice(0, -1) }),
  'a challenge with one other bit': (data) => ({
    ...data,
    challenge: `${data.challenge.startsWith('A') ? 'B' : 'A'}${data.challenge.slice(1)}`,
  }),
  'a challenge of 2,500 characters': (data) => ({ ...data, challenge: 'A'.repeat(2500) }),
  'a challenge of its own': (data) => ({ ...data, challenge: Buffer.alloc(16).toString('base64url') }),
  'an expired challenge': (data, foreign) => ({ ...data, challenge: foreign.expired }),
  'a challenge of another operation': (data, foreign) => ({ ...data, challenge: foreign['of another operation'] }),
  'a challenge of another account': (data, foreign) => ({ ...data, challenge: foreign['of another account'] }),
  'a challenge of another session': (data, foreign) => ({ ...data, challenge: foreign['of a session'] }),
  'a second challenge': (data) => Buffer.from(stringify(data).replace('}', ',"challenge":"AAAA"}')),
  'a second origin': (data) => Buffer.from(stringify(data).replace('}', ',"origin":"https://evil.example"}')),
  'a second type': (data) => Buffer.from(stringify(data).replace('}', ',"type":"webauthn.other"}')),
  'members of a prototype': (data) => Buffer.from(`{"__proto__":${stringify(data)}}`),
  'a list around it': (data) => [data],
  'a text around it': (data) => Buffer.from(stringify(stringify(data))),
  'only null': () => Buffer.from('null'),
  'only a number': () => Buffer.from('1e999'),
  'nested lists': () => Buffer.from('['.repeat(DEPTH) + ']'.repeat(DEPTH)),
  'nested objects': () => Buffer.from('{"":'.repeat(DEPTH / 3) + '1' + '}'.repeat(DEPTH / 3)),
  'JSON without its end': (data) => Buffer.from(stringify(data).slice(0, -1)),
  'trailing bytes after its JSON': (data) => Buffer.from(`${stringify(data)}{}`),
  'a byte order mark': (data) => Buffer.from(`\uFEFF${stringify(data)}`),
  'JSON in UTF-16': (data) => Buffer.from(stringify(data), 'utf16le'),
  'bytes that are not UTF-8': (data) => Buffer.concat([Buffer.from(stringify(data)), Buffer.from([0xff, 0xfe])]),
  'an unknown token binding': (data) => ({ ...data, tokenBinding: { status: 'stolen' } }),
  'a page inside that of another origin': (data) => ({ ...data, crossOrigin: true }),
  'the origin of a page around it': (data) => ({ ...data, crossOrigin: true, topOrigin: 'https://evil.example' }),
  'the origin of a page around it, which is hidden': (data) => ({ ...data, topOrigin: 'https://evil.example' }),
}
