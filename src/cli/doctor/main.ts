// The command that checks all dependencies: `npm run doctor`.
import { systemClock } from '../../adapters/clock.ts'
import { runProgram, UsageError } from '../program.ts'
import { readConfig } from '../../config/index.ts'
import { readEnvironment } from '../../lib/env.ts'
import { toLine, warning, type CheckResult } from './result.ts'
import { checkDatabase } from './database.ts'
import { checkFiles } from './files.ts'
import * as services from './services.ts'

const HELP = `Check the configuration of a Tawthiq service and every system that it depends on.

Usage: npm run doctor

Each line has a result:

  ok       The system works as the service needs it
  WARNING  The service starts, but something is ignored or missing, or leaves a risk; the line says what to do
  skipped  Not configured, or not possible without a side effect such as an SMS
  FAILED   The service would not start, or a part of it would not work; the line says why

The command changes no data of the service. It writes, reads and deletes one key in Redis and one file in the file store,
logs in to the mail server, and sends an invalid solution to the CAPTCHA verifier, and a message without a recipient to webhooks
of SMS. No e-mail, SMS or event is sent. Without npm, run node dist/service/main.js doctor.

  -h, --help  Show this text

Configuration:
  The variables of the service, also from a file .env. Stop the service first if it uses the embedded database.

Exit codes:
  0  Nothing failed
  1  At least one check failed, or the configuration is invalid
  2  Usage error`

const HINTS = { help: 'npm run doctor -- --help', remedy: 'Stop the service first.' }

await runProgram(run, HINTS)

async function run([word]: readonly string[]): Promise<number> {
  if (word === '--help' || word === '-h' || word === 'help') {
    console.log(HELP)
    return 0
  }
  if (word !== undefined) throw new UsageError(`doctor does not accept the argument ${word}.`)
  const config = readConfig(readEnvironment())
  const environment = config.isProduction ? 'production' : 'development'
  console.log(toLine({ name: 'Configuration', status: 'ok', text: `valid for ${environment}` }))
  for (const text of config.warnings) console.log(toLine(warning('Configuration', text)))
  const database = checkDatabase(config, () => systemClock.nowMs())
  const groups: Group[] = [
    database,
    services.checkLimits(config),
    checkFiles(config, database),
    services.checkKeys(config),
    services.checkMailServer(config),
    services.checkWebhooks(config),
    Promise.resolve(services.checkCalls(config)),
    services.checkTraces(config),
    services.checkCaptcha(config),
    services.checkBreachList(config),
    services.checkPages(config),
  ]
  const failed = await print(groups)
  if (failed > 0) console.log(`\n${failed} failed.`)
  return failed > 0 ? 1 : 0
}

type Group = Promise<CheckResult | CheckResult[]>

/** Prints the lines in order, as soon as they are known. Returns the number of failed checks. */
async function print(groups: readonly Group[]): Promise<number> {
  let failed = 0
  for (const group of groups) {
    for (const result of [await group].flat()) {
      if (result.status === 'failed') failed++
      console.log(toLine(result))
    }
  }
  return failed
}
