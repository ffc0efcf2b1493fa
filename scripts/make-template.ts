// Makes the empty database that the embedded PostgreSQL begins with.
import { rmSync } from 'node:fs'
import { openEngine } from '../src/store/embedded/engine.ts'
import { TEMPLATE } from '../src/store/embedded/index.ts'

rmSync(TEMPLATE, { recursive: true, force: true })
const engine = await openEngine(TEMPLATE)
await engine.close()
