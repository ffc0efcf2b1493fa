import pg from 'pg'

/** Creates an empty database on a server. `drop` removes it again, and nothing else is changed on the server. */
export async function scratchDatabase(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `tawthiq_bench_${process.pid}_${Date.now()}`
  const run = async (text: string): Promise<void> => {
    const client = new pg.Client(serverUrl)
    await client.connect()
    await client.query(text).finally(() => client.end())
  }
  await run(`CREATE DATABASE ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) }
}
