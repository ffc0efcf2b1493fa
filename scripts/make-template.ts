// Makes the empty database that first starts and tests of the embedded PostgreSQL begin with.
import { writeFileSync } from 'node:fs'
import { openEngine } from '../src/store/embedded/engine.ts'
import { TEMPLATE } from '../src/store/embedded/index.ts'

const engine = await openEngine()
writeFileSync(TEMPLATE, await engine.dump())
await engine.close()
