// Walks a generated client through the requests of an application, and reports the steps that work.
import type { Client } from './client.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const [origin = '', walked = ''] = process.argv.slice(2)
const { open } = (await import(walked)) as { open: (origin: string) => Client }
const client = open(origin)
const works: string[] = []

async function step(name: string, run: () => Promise<unknown>): Promise<void> {
  const failure = await run().then(
    (result) => (result === true ? undefined : `it returned ${JSON.stringify(result)}`),
    (error: unknown) => String(error),
  )
  if (failure === undefined) works.push(name)
  else console.error(`${name}: ${failure}`)
}

let tokens = { token: '', refresh: '' }
let link = ''
await step('login', async () => {
  tokens = await client.logIn()
  return tokens.token.split('.').length === 3
})
await step('update with file', async () => {
  const photo = new File([Buffer.from(PNG, 'base64')], 'photo.png', { type: 'image/png' })
  link = (await client.update(tokens.token, photo)) ?? ''
  return link.startsWith('/api/v1/files/')
})
await step('422', async () => {
  const codes = await client.reject(tokens.token)
  return codes !== undefined && Object.keys(codes).join() === 'city_id' && Array.isArray(codes['city_id'])
})
await step('refresh', async () => {
  const { token: before } = tokens
  tokens = await client.refresh(tokens.refresh)
  return tokens.token !== '' && tokens.token !== before
})
await step('download', async () => {
  const id = /files\/([^?]+)/.exec(link)?.[1] ?? ''
  const bytes = Buffer.from(await (await client.download(tokens.token, id)).arrayBuffer())
  return bytes.subarray(1, 4).toString() === 'PNG'
})
console.log(`Works: ${JSON.stringify(works)}`)
