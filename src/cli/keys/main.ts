// Prints new keys for KEYS_FILE or KEYS: `(umask 077; npm run -s keys > keys.json)`.
import { newKeys } from '../../adapters/keys/index.ts'
import { parseAlgorithm } from '../algorithm.ts'
import { parseArguments, runProgram, UsageError } from '../program.ts'

const HELP = `Print new keys for KEYS_FILE or KEYS.

Usage: (umask 077; npm run -s keys > keys.json)

  --algorithm <EdDSA|ES256>  The algorithm that signs access tokens. The default is EdDSA

Nothing is stored. Create keys once, and do not add them to version control. To replace a key later, see rotate-keys in
npm run admin -- help.`

await runProgram(
  async (args) => {
    const options = { algorithm: { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const
    const { values, positionals } = parseArguments({ args: [...args], allowPositionals: true, options })
    const [word] = positionals
    if (values.help || word === 'help') console.log(HELP)
    else if (word === undefined) process.stdout.write(newKeys(parseAlgorithm(values.algorithm)))
    else throw new UsageError(`keys does not accept the argument ${word}.`)
    return 0
  },
  { help: 'npm run keys -- help', remedy: '' },
)
