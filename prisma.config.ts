import { existsSync } from 'node:fs'
import { defineConfig } from 'prisma/config'

if (existsSync('.env')) process.loadEnvFile('.env')

// Every command looks for the native schema engine, which npm does not carry, and would download it. Only these run it.
const runsEngine = ['migrate', 'db'].some((command) => process.argv.includes(command))
if (!runsEngine) process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? '' },
})
