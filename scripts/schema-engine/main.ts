// Replaces the native schema engine, which is not on npm. Accepts the arguments and the JSON-RPC of prisma 7.10, and
// runs the same engine compiled to WASM.
import enginesVersion from '@prisma/engines-version'
import { readArguments } from './arguments.ts'
import { serve } from './rpc.ts'
import { createDatabase, databaseName, dropDatabase, query } from './servers.ts'

const COMMANDS: Record<string, (url: string) => Promise<unknown>> = {
  'can-connect-to-database': (url) => query(url, 'SELECT 1'),
  'create-database': createDatabase,
  'drop-database': dropDatabase,
}

const given = readArguments(process.argv.slice(2))
if (given.version) console.log(`schema-engine-wasm ${enginesVersion.enginesVersion}`)
else if (given.command) process.exitCode = await runCommand(given.command, given.url)
else serve(given)

/** `schema-engine cli <command>`: gives the exit code. The embedded database is always there. */
async function runCommand(command: string, url: string | undefined): Promise<number> {
  process.stderr.write('\n') // the CLI reads the last line
  if (url === undefined) return 0
  try {
    await COMMANDS[command]?.(url)
    return 0
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const fields =
      code === '3D000'
        ? { error_code: 'P1003', message: `Database \`${databaseName(url)}\` does not exist` }
        : { error_code: 'P1001', message: `Can't reach database server at \`${new URL(url).host}\`: ${message}` }
    process.stderr.write(`${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields })}\n`)
    return 1
  }
}
