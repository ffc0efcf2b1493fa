import { createDatabase, databaseName, dropDatabase, query } from './servers.ts'

const COMMANDS: Record<string, (url: string) => Promise<unknown>> = {
  'can-connect-to-database': (url) => query(url, 'SELECT 1'),
  'create-database': createDatabase,
  'drop-database': dropDatabase,
}

/** `schema-engine cli <command>`: gives the exit code. The embedded database is always there. */
export async function runCommand(command: string, url: string | undefined): Promise<number> {
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
