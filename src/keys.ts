// Prints new secrets for KEYS_FILE or KEYS: `npm run -s keys > keys.json && chmod 600 keys.json`.
import { newKeys } from './adapters/keys.ts'

process.stdout.write(newKeys())
