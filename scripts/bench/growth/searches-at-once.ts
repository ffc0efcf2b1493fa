import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tokensIn } from '../../load/people.ts'
import { login } from '../../load/requests.ts'
import { send, sendValid } from '../../load/send.ts'
import { startInstance } from '../../load/service.ts'
import type { Session } from '../../load/session.ts'

const SEARCHES = 12
const READERS = 2
/** Few enough requests that they do not wait for each other */
const PAUSE_MS = 20
const SECONDS = 10
const TEXTS = ['gmail.com', 'محمد', 'xyz', 'com gmail', 'محمد محمد محمد الحربي', 'x', '05', 'user12', 'سعد سعد سعد']

type Answer = { status: number; ms: number }

/** How long other requests wait while administrators search, with as many searches at once, and what they are answered. */
export async function benchSearchesAtOnce(session: Session, databaseUrl: string): Promise<string> {
  const variables = { DATABASE_URL: databaseUrl, FILES_DIR: join(session.folder, `files-${randomUUID()}`) }
  const { origin, part } = await startInstance(session, { variables, isManaged: false })
  const logIn = async (email: string): Promise<string> =>
    tokensIn(await sendValid(origin, login({ email }, 'Tawthiq-demo-1'))).token
  try {
    const [admin, user] = [await logIn('admin@demo.test'), await logIn('client@demo.test')]
    const endMs = performance.now() + SECONDS * 1000
    const check = async (): Promise<Answer> => {
      await sleep(PAUSE_MS)
      return get(origin, '/api/v1/auth/check', user)
    }
    let searches = 0
    const search = (): Promise<Answer> => {
      const text = TEXTS[searches++ % TEXTS.length] ?? ''
      return get(origin, `/api/v1/admin/users?q=${encodeURIComponent(text)}`, admin)
    }
    const alone = await repeat(READERS, performance.now() + 2000, check)
    const [found, checked] = await Promise.all([repeat(SEARCHES, endMs, search), repeat(READERS, endMs, check)])
    return [
      `${SEARCHES} searches at once`,
      format('checkToken, alone', alone),
      format('checkToken', checked),
      format('adminListUsers', found),
    ].join('\n')
  } finally {
    await part.stop()
  }
}

async function get(origin: string, path: string, token: string): Promise<Answer> {
  const startMs = performance.now()
  const { status } = await send(origin, { path, token })
  return { status, ms: performance.now() - startMs }
}

/** Sends requests one after the other, in several loops, until a time. */
async function repeat(loops: number, endMs: number, measure: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  const loop = async (): Promise<void> => {
    while (performance.now() < endMs) answers.push(await measure())
  }
  await Promise.all(Array.from({ length: loops }, loop))
  return answers
}

function format(name: string, answers: readonly Answer[]): string {
  const sorted = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1)
  const counts = new Map<number, number>()
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1)
  const statuses = [...counts].map(([status, count]) => `${status}: ${count}`).join(', ')
  return `  ${name.padEnd(24)}median ${at(0.5)} ms, p99 ${at(0.99)} ms (${statuses})`
}
