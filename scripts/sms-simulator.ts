// Runs a server that speaks the APIs of the SMS providers, for development: `npm run sms-simulator -- --port 4010`.
import { parseArgs } from 'node:util'
import { CASES, createSimulator, SILENT } from './sms-simulator/server.ts'

const { port } = parseArgs({ options: { port: { type: 'string', default: '4010' } } }).values
const server = createSimulator(({ provider, to, text }) => console.log(`${provider}  ${to}\n  ${text}\n`))
const origin = await server.listen({ host: '127.0.0.1', port: Number(port) })
const cases = Object.entries(CASES).map(([digits, name]) => `  …${digits}  ${name}`)

console.log(`The SMS simulator is running. Its messages are listed at ${origin}/

Start the service with one of:
  SMS_PROVIDERS=twilio    TWILIO_API_URL=${origin} TWILIO_ACCOUNT_SID=AC${'a'.repeat(32)} TWILIO_AUTH_TOKEN=any TWILIO_FROM=Tawthiq
  SMS_PROVIDERS=unifonic  UNIFONIC_API_URL=${origin} UNIFONIC_APP_SID=any UNIFONIC_SENDER_ID=Tawthiq
  SMS_PROVIDERS=taqnyat   TAQNYAT_API_URL=${origin} TAQNYAT_TOKEN=any TAQNYAT_SENDER=Tawthiq
  SMS_PROVIDERS=webhook   SMS_WEBHOOK_URL=${origin}/webhook

Numbers that end with these digits are not accepted:
${cases.join('\n')}
  …${SILENT}  no response
`)
