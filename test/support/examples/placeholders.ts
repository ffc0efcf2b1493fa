// What only a running service can know, where the examples can but show how it looks.
import type { Example, Value } from './document.ts'
import type { People } from './people.ts'

/** Finds the value that stands for a placeholder. */
type Find = (people: People) => Promise<Value | undefined>

const TOKEN = /^[\w-]{43}$/m

const PLACEHOLDERS: Readonly<Record<string, Find>> = {
  'refreshToken refresh_token': async ({ logIn }) => (await logIn('client')).refresh,
  'resetPassword token': ({ inMessagesTo }) => inMessagesTo('admin@demo.test', TOKEN),
  'releaseEmail token': ({ inMessagesTo }) => inMessagesTo('lawyer@demo.test', TOKEN),
  'adminReviewLawyer review_version': async ({ send, tokenOf }) => {
    const { body } = await send('adminGetUser')({ path: { user_id: '2' }, token: await tokenOf('admin') })
    return body.data.review_version as number | undefined
  },
  'adminReplayEvents id': async ({ send, tokenOf }) => {
    const { body } = await send('adminListEvents')({ token: await tokenOf('admin') })
    return body.data.events[0]?.id as string | undefined
  },
  'revokeSession session_id': async ({ send, logIn, tokenOf }) => {
    await logIn('client')
    const { body } = await send('listSessions')({ token: await tokenOf('client') })
    const sessions = body.data.sessions as { id: string; is_current: boolean }[]
    return sessions.find(({ is_current }) => !is_current)?.id ?? ''
  },
  'getFile file_id': async (people) => (await photoOf(people)).pathname.split('/').at(-1) ?? '',
  'getFile expires': async (people) => (await photoOf(people)).searchParams.get('expires') ?? '',
  'getFile signature': async (people) => (await photoOf(people)).searchParams.get('signature') ?? '',
}

/** The example with values of the running service in place of placeholders. */
export async function withoutPlaceholders(example: Example, people: People): Promise<Example> {
  const { id, body, parameters } = example
  const filled = async <Values extends object>(values: Values): Promise<Values> => {
    const entries = Object.entries(values).map(async ([name, value]: [string, unknown]) => {
      const find = PLACEHOLDERS[`${id} ${name}`]
      const found = find ? await find(people) : value
      if (found === undefined || (find && found === '')) throw new Error(`the service gives no ${name} for ${id}`)
      return [name, found] as const
    })
    return Object.fromEntries(await Promise.all(entries)) as Values
  }
  const { path, query, header } = parameters
  return {
    ...example,
    body: body && (await filled(body)),
    parameters: { path: await filled(path), query: await filled(query), header },
  }
}

async function photoOf({ send, tokenOf }: People): Promise<URL> {
  const { body } = await send('getProfile')({ token: await tokenOf('client') })
  return new URL(body.data.user.profile_photo as string, 'http://localhost')
}
