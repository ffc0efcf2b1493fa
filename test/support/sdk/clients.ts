// SDK clients of the service of a test.
import { createTawthiq, toFormData, type ClientOptions, type Fetch, type Tawthiq } from '@tawthiq/sdk'
import { PASSWORD, type Person, type World } from '../service/world.ts'

export type TestClient = Tawthiq & {
  /** The paths of all requests, oldest first */
  requests: string[]
}

/** Creates a client whose requests come from the address of the world, and are recorded. */
export function clientOf(world: World, options: Partial<ClientOptions> = {}): TestClient {
  const requests: string[] = []
  const recorded: Fetch = async (url, init) => {
    const { pathname } = new URL(url)
    requests.push(pathname)
    return fetch(url, { ...init, headers: { ...headersIn(init), 'x-forwarded-for': world.address } })
  }
  return { ...createTawthiq({ url: world.service.origin, language: 'en', fetch: recorded, ...options }), requests }
}

/** Creates a client with a session of a person. */
export async function loggedIn(
  world: World,
  { email }: Pick<Person, 'email'>,
  options?: Partial<ClientOptions>,
): Promise<TestClient> {
  const client = clientOf(world, options)
  await client.auth.login({ email, password: PASSWORD })
  client.requests.length = 0
  return client
}

/** Converts fields, whose types are those of a form and not of the document. */
export function asForm(fields: object): FormData {
  return toFormData(fields)
}

function headersIn({ headers }: RequestInit): Record<string, string> {
  return headers as Record<string, string> // what the SDK passes
}
