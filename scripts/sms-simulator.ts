// Runs a server that speaks the APIs of the SMS providers, for development: `npm run sms-simulator -- --port 4010`.
// With `--receipts http://localhost:3000`, it reports deliveries to the service there. `npm run sms-simulator -- attack`
// simulates attacks on the budgets of SMS instead, and prints what they cost.
import { readOptions } from './options.ts'
import { simulateAttacks } from './sms-simulator/attack.ts'
import { CASES, createSimulator, NOT_ON_WHATSAPP, SILENT, UNDELIVERED } from './sms-simulator/server.ts'

const TOKEN = 'simulated-receipt-token-of-the-provider'
const SECRET = `whsec_${Buffer.alloc(32, 'simulated').toString('base64')}`

const { port, receipts, words } = readOptions('npm run sms-simulator -- [attack]', { port: 4010, receipts: undefined })
if (words[0] === 'attack') {
  await simulateAttacks()
  process.exit()
}
const options =
  receipts === undefined ? undefined : { url: receipts, token: TOKEN, secret: SECRET, onError: console.error }
const server = createSimulator(({ provider, channel, to, text }) => {
  console.log(`${provider}  ${channel}  ${to}\n  ${text}\n`)
}, options)
const origin = await server.listen({ host: '127.0.0.1', port })
const describe = (all: Readonly<Record<string, string>>): string =>
  Object.entries(all)
    .map(([digits, name]) => `  …${digits}  ${name}`)
    .join('\n')
const receiptVariables = {
  twilio: `PUBLIC_URL=${receipts}`,
  unifonic: `UNIFONIC_RECEIPT_TOKENS=${TOKEN}`,
  taqnyat: `TAQNYAT_RECEIPT_TOKENS=${TOKEN}`,
  webhook: `SMS_WEBHOOK_RECEIPT_SECRETS=${SECRET}`,
}
const withReceipts = (name: keyof typeof receiptVariables): string => (options ? ` ${receiptVariables[name]}` : '')

console.log(`The SMS simulator is running. Its messages are listed at ${origin}/

Start the service with NODE_ENV=development and one of:
  SMS_PROVIDERS=twilio    TWILIO_API_URL=${origin} TWILIO_ACCOUNT_SID=AC${'a'.repeat(32)} TWILIO_AUTH_TOKEN=any TWILIO_FROM=Tawthiq${withReceipts('twilio')}
      WhatsApp and calls: TWILIO_WHATSAPP_FROM=+15557122661 TWILIO_WHATSAPP_CONTENT_SID_AR=HX${'a'.repeat(32)} TWILIO_WHATSAPP_CONTENT_SID_EN=HX${'b'.repeat(32)} TWILIO_VOICE_FROM=+15557122661
  SMS_PROVIDERS=unifonic  UNIFONIC_API_URL=${origin} UNIFONIC_APP_SID=any UNIFONIC_SENDER_ID=Tawthiq${withReceipts('unifonic')}
  SMS_PROVIDERS=taqnyat   TAQNYAT_API_URL=${origin} TAQNYAT_TOKEN=any TAQNYAT_SENDER=Tawthiq${withReceipts('taqnyat')}
  SMS_PROVIDERS=webhook   SMS_WEBHOOK_URL=${origin}/webhook SMS_WEBHOOK_CHANNELS=sms,whatsapp,voice${withReceipts('webhook')}

Numbers that end with these digits are not accepted:
${describe(CASES)}
  …${SILENT}  no response
  …${NOT_ON_WHATSAPP}  not on WhatsApp: accepted by the other channels

${options ? `Receipts are sent to ${receipts}, except for numbers that end with these digits:\n${describe(UNDELIVERED)}` : 'No receipts are sent. Use --receipts http://localhost:3000.'}
`)
