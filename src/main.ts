#!/usr/bin/env node
// Runs the service or one of its commands: `node dist/service/main.js help`. Only this file ends the process.
import { readConfig } from './config/index.ts'
import { readEnvironment } from './lib/env.ts'
import { explainFullDisk, StartupError } from './lib/startup-error.ts'
import { serve } from './serve.ts'

const HELP = `Tawthiq: accounts, authentication, profiles and phone verification over HTTP.

Usage: node dist/service/main.js [command]

Commands:
  serve     Start the service (default)
  migrate   Create or update the tables of the database
  doctor    Check the configuration and every system that the service depends on
  admin     Administer accounts, keys, files and the audit trail
  import    Import accounts from a file
  keys      Print new keys for KEYS_FILE
  help      Show this text

For the options of a command, run it with --help. All commands read the environment variables of the service, also from a
file .env (see docs/configuration.md).

First steps in production:
  1. (umask 077; node dist/service/main.js keys > keys.json)
  2. Set the variables of docs/operate.md
  3. node dist/service/main.js doctor
  4. node dist/service/main.js migrate
  5. node dist/service/main.js serve

Exit codes:
  0  Success
  1  The command failed; standard error says why
  2  Usage error`

/** Commands that read the arguments after their name from `process.argv` */
const COMMANDS: Readonly<Record<string, () => Promise<unknown>>> = {
  migrate: () => import('./cli/migrate/main.ts'),
  doctor: () => import('./cli/doctor/main.ts'),
  admin: () => import('./cli/admin/main.ts'),
  import: () => import('./cli/import/main.ts'),
  keys: () => import('./cli/keys/main.ts'),
}
const HELP_WORDS = ['help', '--help', '-h']

process.setSourceMapsEnabled(true)
const [name = 'serve', ...rest] = process.argv.slice(2)
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
if (command) {
  process.argv.splice(2, 1)
  await command()
} else if (HELP_WORDS.includes(name) || (name === 'serve' && HELP_WORDS.includes(rest[0] ?? ''))) {
  console.log(HELP)
} else if (name !== 'serve' || rest.length > 0) {
  const reason = name === 'serve' ? 'serve does not accept arguments.' : `Unknown command: ${name}.`
  console.error(`${reason}\nFor help, run node dist/service/main.js help.`)
  process.exit(2)
} else {
  try {
    await serve(readConfig(readEnvironment()), () => process.exit(0))
  } catch (error) {
    const shown = explainFullDisk(error)
    console.error(shown instanceof StartupError ? `\n${shown.message}\n` : shown)
    process.exit(1)
  }
}
