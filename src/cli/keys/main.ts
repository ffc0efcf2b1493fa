// Prints new keys for KEYS_FILE or KEYS: `(umask 077; npm run -s keys > keys.json)`.
import { newKeys } from '../../adapters/keys/index.ts'

process.stdout.write(newKeys())
