// Prints new keys for KEYS_FILE or KEYS: `(umask 077; npm run -s keys > keys.json)`.
import { newKeys } from '../../adapters/keys/index.ts'

const HELP = `Print new keys for KEYS_FILE or KEYS.

Usage: (umask 077; npm run -s keys > keys.json)

Nothing is stored. Create keys once, and do not add them to version control. To replace a key later, see rotate-keys in
npm run admin -- help.`

const [word] = process.argv.slice(2)
if (word === undefined) process.stdout.write(newKeys())
else if (['help', '--help', '-h'].includes(word)) console.log(HELP)
else {
  console.error(
    `keys does not accept the argument ${word}. To replace a key, see rotate-keys in npm run admin -- help.`,
  )
  process.exitCode = 2
}
