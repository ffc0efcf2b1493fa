// Runs the checks of the project, which scripts/verify/parts.ts lists:
//
//   npm run verify                   all of them, in about an hour, and writes docs/verification.md
//   npm run verify -- upgrade gate   these parts
//   npm run verify -- --resume       those that have not passed on the same files yet
//   npm run verify -- --ci           what .ci/run runs, in minutes
//
// The output of each part is in .verify/<part>.log. The last line is `N passed, N failed`.
import { runSession, type Session } from './load/session.ts'
import { readOptions } from './options.ts'
import { BUILD, PARTS, type Part } from './verify/parts.ts'
import { prepare, type Prepared } from './verify/prepare.ts'
import { hashTree, openRecord, type Result } from './verify/record.ts'
import { runPart, skip } from './verify/run.ts'

const { words: names, ci, resume } = readOptions('npm run verify -- [part …]', { ci: false, resume: false })
const unknown = names.filter((name) => !PARTS.some((part) => part.name === name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. The parts are:`)
  for (const { name, shows } of PARTS) console.error(`  ${name.padEnd(16)}${shows}`)
  process.exit(2)
}
await runSession('verify', verify)

async function verify(session: Session): Promise<boolean> {
  const record = ci ? undefined : openRecord(await hashTree('.'))
  const wanted = PARTS.filter(({ name, ci: inCi }) =>
    names.length > 0 ? names.includes(name) : !ci || inCi !== undefined,
  )
  const chosen = wanted.filter(({ name }) => !(resume && record?.hasPassed(name)))
  const built = chosen.includes(BUILD) ? runPart(BUILD, BUILD.run, {}) : undefined // while packages are installed
  const prepared = await prepare(session, chosen)
  const results: Result[] = []
  await runAll(chosen, async (part) => {
    const result = await (part === BUILD && built ? built : runOne(part, prepared))
    results.push(result)
    await record?.note(part, result)
    return result.failed === 0
  })
  const sum = (count: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[count], 0)
  await record?.write()
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
  return sum('failed') === 0 && sum('passed') > 0
}

/** Runs the build, parts of both lanes beside each other, and then the others. Without a build, it stops. */
async function runAll(parts: readonly Part[], run: (part: Part) => Promise<boolean>): Promise<void> {
  const runLane = async (lane?: 'left' | 'right'): Promise<void> => {
    for (const part of parts.filter((each) => each.lane === lane && each !== BUILD)) await run(part)
  }
  if (parts.includes(BUILD) && !(await run(BUILD))) return
  await Promise.all([runLane('left'), runLane('right')])
  await runLane()
}

async function runOne(part: Part, { missingFor, variables }: Prepared): Promise<Result> {
  const missing = missingFor(part)
  if (missing.length > 0) return skip(part, `it needs ${missing.join(' and ')}`)
  return runPart(part, ci && typeof part.ci === 'string' ? part.ci : part.run, variables)
}
