#!/usr/bin/env node
// What the prisma CLI runs as its schema engine (see prisma.config.ts).
import { register } from 'tsx/esm/api'

register()
await import('./schema-engine/main.ts')
