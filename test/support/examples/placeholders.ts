// Values that only a running service can provide, in place of placeholders in the examples.
import { createPasskey, type CreationOptions, type Passkey, type RequestOptions } from '../accounts/authenticator.ts'
import { DEMO_PASSWORD } from '../../../src/store/demo-data.ts'
import { codeAt } from '../accounts/second-factors.ts'
import type { Example, Value } from './document.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Form } from '../service/sender.ts'
import type { Caller, People } from './people.ts'

/** Finds the value of a placeholder. */
type Find = (people: People, caller: Caller) => Promise<Value | object | undefined>

/** In a link to the account pages, or alone */
const TOKEN = /(?<=^|token=)[\w-]{43}(?=$|&)/m

/** The number of the account whose second factors the examples reset */
export const LOST_PHONE = '+966500000009'
/** Its address */
const LOST_EMAIL = 'sara@example.org'

/** Returns the match of a pattern in a message that is sent in the background. */
async function awaited(people: People, address: string, pattern: RegExp): Promise<string | undefined> {
  for (let looks = 0; looks < 200; looks++) {
    const found = await people.inMessagesTo(address, pattern)
    if (found !== undefined) return found
    await sleep(50)
  }
  return undefined
}

/** The passkey of the example that adds one */
let added: Passkey | undefined

function assertion(options: unknown): object | undefined {
  return added?.get(options as RequestOptions)
}

async function passkeyId({ send, tokenOf }: People): Promise<string | undefined> {
  const { body } = await send('getFactors')({ token: await tokenOf('admin') })
  return (body.data as { passkeys: { id: string }[] }).passkeys[0]?.id
}

/** By operation and name, or by name */
const PLACEHOLDERS: Readonly<Record<string, Find>> = {
  'If-Match': async ({ send, tokenOf }, caller) =>
    (await send('getProfile')({ token: await tokenOf(caller) })).headers['etag'],
  'refreshToken refresh_token': async ({ logIn }) => (await logIn('client')).refresh,
  'resetPassword token': ({ inMessagesTo }) => inMessagesTo('admin@demo.test', TOKEN),
  'releaseEmail token': ({ inMessagesTo }) => inMessagesTo('lawyer@demo.test', TOKEN),
  'confirmEmail code': (people) => awaited(people, 'client@demo.test', /\b\d{6}\b/),
  'confirmEmail token': async (people) => {
    const ofRegistration = await people.inMessagesTo('nouf@example.org', TOKEN)
    if (ofRegistration !== undefined) return ofRegistration // leaves the address of the lawyer unverified, for releaseEmail
    await people.send('requestEmailVerification')({ token: await people.tokenOf('lawyer') })
    return awaited(people, 'lawyer@demo.test', TOKEN)
  },
  'cancelEmailChange token': async (people) => {
    const token = await people.tokenOf('admin') // with a verified address
    const { body } = await people.send('getProfile')({ token })
    const texts = Object.entries(body.data.user as object).map(([name, value]) => [name, String(value ?? '')])
    const form = { ...(Object.fromEntries(texts) as Form), email: 'another@demo.test' }
    await people.send('updateProfile')({ token, form })
    return awaited(people, 'admin@demo.test', TOKEN)
  },
  'confirmTotp code': async ({ send, tokenOf }) => {
    const { body } = await send('beginTotp')({ token: await tokenOf('admin'), json: { password: DEMO_PASSWORD } })
    return codeAt((body.data as { secret: string }).secret, Date.now())
  },
  'confirmFactorReset token': (people) => awaited(people, LOST_EMAIL, TOKEN),
  'confirmFactorReset otp': (people) => awaited(people, LOST_PHONE, /\d{6}/),
  'adminResetFactors user_id': async ({ send, tokenOf }) => {
    const { body } = await send('adminListUsers')({ query: { q: LOST_EMAIL }, token: await tokenOf('admin') })
    return body.data.items[0]?.id as number | undefined
  },
  'addPasskey credential': async ({ send, tokenOf }) => {
    const { body } = await send('beginPasskey')({ token: await tokenOf('admin'), json: { password: DEMO_PASSWORD } })
    const made = createPasskey(body.data as CreationOptions)
    added = made.passkey
    return made.credential
  },
  'loginWithPasskey credential': async ({ send }) => assertion((await send('beginPasskeyLogin')()).body.data),
  'reauthenticateWithPasskey credential': async ({ send, tokenOf }) =>
    assertion((await send('beginPasskeyReauthentication')({ token: await tokenOf('admin') })).body.data),
  'renamePasskey passkey_id': passkeyId,
  'removePasskey passkey_id': passkeyId,
  'adminReviewLawyer review_version': async ({ send, tokenOf }) => {
    const { body } = await send('adminGetUser')({ path: { user_id: '2' }, token: await tokenOf('admin') })
    return body.data.review_version as number | undefined
  },
  'adminReplayEvents id': async ({ send, tokenOf }) => {
    const { body } = await send('adminListEvents')({ token: await tokenOf('admin') })
    return body.data.items[0]?.id as string | undefined
  },
  'revokeSession session_id': async ({ send, logIn, tokenOf }) => {
    await logIn('client')
    const { body } = await send('listSessions')({ token: await tokenOf('client') })
    const sessions = body.data.items as { id: string; is_current: boolean }[]
    return sessions.find(({ is_current }) => !is_current)?.id ?? ''
  },
  'getFile file_id': async (people) => (await documentOf(people)).pathname.split('/').at(-1) ?? '',
  'getFile expires': async (people) => (await documentOf(people)).searchParams.get('expires') ?? '',
  'getFile signature': async (people) => (await documentOf(people)).searchParams.get('signature') ?? '',
  'getFile session': async (people) => (await documentOf(people)).searchParams.get('session') ?? '',
}

/** Replaces the placeholders of an example with values of the running service. */
export async function withoutPlaceholders(example: Example, people: People, caller: Caller): Promise<Example> {
  const { id, body, parameters } = example
  const filled = async <Values extends object>(values: Values): Promise<Values> => {
    const entries = Object.entries(values).map(async ([name, value]: [string, unknown]) => {
      const find = PLACEHOLDERS[`${id} ${name}`] ?? PLACEHOLDERS[name]
      const found = find ? await find(people, caller) : value
      if (found === undefined || (find && found === '')) throw new Error(`the service returned no ${name} for ${id}`)
      return [name, found] as const
    })
    return Object.fromEntries(await Promise.all(entries)) as Values
  }
  const { path, query, header } = parameters
  return {
    ...example,
    body: body && (await filled(body)),
    parameters: { path: await filled(path), query: await filled(query), header: await filled(header) },
  }
}

async function documentOf({ send, tokenOf }: People): Promise<URL> {
  const { body } = await send('getProfile')({ token: await tokenOf('lawyer') })
  return new URL(body.data.user.national_id_image as string, 'http://localhost')
}
