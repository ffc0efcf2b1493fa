import { systemClock } from '../../adapters/clock.ts'
import { hmacSeals } from '../../adapters/keys/audit-seals.ts'
import { aesMailSeal, recipientHash } from '../../adapters/mail/seal.ts'
import type { Config } from '../../config/index.ts'
import { jsonLog } from '../../lib/log.ts'
import { openStorage } from '../../composition/files.ts'
import { loadKeys } from '../../runtime/keys/load.ts'
import type { Composing } from '../../services/notifications/mail.ts'
import { openStore } from '../../store/index.ts'
import { openServiceDatabase } from '../database.ts'
import { showAudit } from './audit.ts'
import type { Command } from './arguments.ts'
import { runCommand } from './commands.ts'
import { runFeatureCommand } from './features.ts'
import { runFileCommand } from './file-storage.ts'
import { runMailCommand } from './mails.ts'
import { resealFactors } from './reseal-factors.ts'
import { showSms } from './sms.ts'
import { verifyAudit } from './verify-audit.ts'

/** Returns what composes e-mails with the keys of the service, as its instances do. */
function openMails(config: Config): Composing {
  const { codes } = loadKeys(config)
  return {
    mail: { isOffered: config.mail.url !== undefined || !config.isProduction },
    mailSeal: aesMailSeal(codes),
    recipientHash: recipientHash(codes),
  }
}

/** Runs a command on the database of the service, and returns what is printed. */
export async function runOnDatabase(
  command: Exclude<Command, { name: 'help' | 'rotate-keys' }>,
  config: Config,
): Promise<string> {
  const database = await openServiceDatabase(config)
  try {
    if (command.name === 'features' || command.name === 'enable-feature')
      return await runFeatureCommand(command, database, config)
    const log = jsonLog('silent')
    const store = openStore(database, { clock: systemClock, log, hasWebhook: config.events !== undefined })
    if (command.name === 'verify-audit')
      return await verifyAudit({ store, seals: hmacSeals(loadKeys(config).auditSeals), auditDays: config.auditDays })
    if (command.name === 'reseal-factors') return await resealFactors(config, store)
    if (command.name === 'mails') return await runMailCommand(command, store.mailListing)
    if (command.name === 'audit') return await showAudit(command.filters, store)
    if (command.name === 'sms') return await showSms(command.hours, store.smsMessages)
    if (command.name === 'list' || 'email' in command || 'account' in command)
      return await runCommand(command, store, { ...config, openMails: () => openMails(config) })
    return await runFileCommand(command, { storage: await openStorage(config), store, clock: systemClock, log })
  } finally {
    await database.close()
  }
}
