#!/usr/bin/env node
// The schema engine of the prisma CLI (see prisma.config.ts).
import { register } from 'tsx/esm/api'

register()
await import('./schema-engine/main.ts')
