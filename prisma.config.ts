import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'prisma/config'

if (existsSync('.env')) process.loadEnvFile('.env')

// The CLI asks for its native schema engine, which npm does not carry. This one answers from the same engine as WASM.
// Set the variable yourself to use a native one.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= fileURLToPath(new URL('scripts/schema-engine.mjs', import.meta.url))

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  // Without a server, the schema engine answers for this host from an embedded database in memory.
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://postgres@embedded.invalid:5432/postgres' },
})
