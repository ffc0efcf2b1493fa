// Runs a server that speaks the APIs of the SMS providers, for development: `npm run sms-simulator -- --port 4010`.
import { parseArgs } from 'node:util'
import { CASES, createSimulator, NOT_ON_WHATSAPP, SILENT } from './sms-simulator/server.ts'

const { port } = parseArgs({ options: { port: { type: 'string', default: '4010' } } }).values
const server = createSimulator(({ provider, channel, to, text }) =>
  console.log(`${provider}  ${channel}  ${to}\n  ${text}\n`),
)
const origin = await server.listen({ host: '127.0.0.1', port: Number(port) })
const cases = Object.entries(CASES).map(([digits, name]) => `  …${digits}  ${name}`)

console.log(`The SMS simulator is running. Its messages are listed at ${origin}/

Start the service with one of:
  SMS_PROVIDERS=twilio    TWILIO_API_URL=${origin} TWILIO_ACCOUNT_SID=AC${'a'.repeat(32)} TWILIO_AUTH_TOKEN=any TWILIO_FROM=Tawthiq
      WhatsApp and calls: TWILIO_WHATSAPP_FROM=+15557122661 TWILIO_WHATSAPP_CONTENT_SID_AR=HX${'a'.repeat(32)} TWILIO_WHATSAPP_CONTENT_SID_EN=HX${'b'.repeat(32)} TWILIO_VOICE_FROM=+15557122661
  SMS_PROVIDERS=unifonic  UNIFONIC_API_URL=${origin} UNIFONIC_APP_SID=any UNIFONIC_SENDER_ID=Tawthiq
  SMS_PROVIDERS=taqnyat   TAQNYAT_API_URL=${origin} TAQNYAT_TOKEN=any TAQNYAT_SENDER=Tawthiq
  SMS_PROVIDERS=webhook   SMS_WEBHOOK_URL=${origin}/webhook SMS_WEBHOOK_CHANNELS=sms,whatsapp,voice

Numbers that end with these digits are not accepted:
${cases.join('\n')}
  …${SILENT}  no response
  …${NOT_ON_WHATSAPP}  not on WhatsApp: accepted by the other channels
`)
