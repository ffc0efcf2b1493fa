export const HELP = `Administer accounts, keys, files and the audit trail of a Tawthiq service.

Usage: npm run admin -- <command>

Accounts:
  list                      List the administrators
  grant <email>             Make an account an administrator
  revoke <email>            Remove administrator privileges from an account
  suspend <email> <reason>  Suspend an account: its sessions are revoked, and it cannot log in
  restore <email>           End the suspension of an account
  verify-email <id|email>   Mark the e-mail address of an account as verified; check the identity of its owner first

Keys:
  rotate-keys [<keys>]      Replace the key of one purpose; everything that the old key signed stays valid
  rotate-keys [<keys>] --prepare
                            Add the key that the next rotate-keys will use

Files:
  sweep-files --dry-run     Show which files a sweep would delete or schedule for deletion
  sweep-files [--max <n>]   Sweep the file store now; --max allows up to n files without a database row
  adopt-files [--yes]       Bind the file store to this database, for example after a restore from a backup
  check-files               Check that the file store has every file that the database names

E-mails:
  mails                     List the e-mails that wait, newest first
  mails --failed            List the e-mails of the last 7 days that will not be sent, and why
  mails --retry             Retry the e-mails that wait after a failure now

Audit trail:
  verify-audit              Check that no audit events were changed, added or deleted

SMS:
  sms [--hours <n>]         Show deliveries and confirmed codes of the last 24 or n hours, and paused providers

  help                      Show this text

Examples:
  npm run admin -- grant admin@example.org
  npm run admin -- suspend user@example.org "Sends advertising"
  npm run admin -- rotate-keys codes

Configuration:
  The command reads the same variables as the service (DATABASE_URL, or DATA_DIR for the embedded database), also from a
  file .env. Stop the service first if it uses the embedded database. Changes take effect with the next request and are
  recorded in the audit trail.

Exit codes:
  0  Success
  1  The command failed; standard error says why
  2  Usage error

rotate-keys:
  <keys> is one of:

  tokens                    Sign access tokens (default)
  codes                     Derive one-time codes, and encrypt e-mails that wait to be sent
  links                     Sign links to files
  refresh-tokens            Sign refresh tokens
  audit-seals               Sign the seals of the audit trail; old keys are retained without end

  The service reads its key file every few seconds, and uses a new key two minutes after it has found it, so that all
  instances know it by then. No restart is needed. Users stay logged in, and codes and links that were sent stay valid: the
  old key verifies them until they expire, and a later rotation removes it.

  If the keys are in KEYS, restart the service within a day after a rotation. If instances are restarted one after the other,
  all of them must know a key before one of them uses it:

  1. npm run -s admin -- rotate-keys <keys> --prepare    once, for all instances
  2. Set KEYS to its output, and restart the instances one after the other
  3. npm run -s admin -- rotate-keys <keys>              once, with these KEYS
  4. Set KEYS to its output, and restart the instances again, in any order

  Keys are in KEYS_FILE, or in keys.json in DATA_DIR: copy the file to instances with a file of their own, before the two
  minutes are over. If the keys are in KEYS, the new ones are printed to standard output: (umask 077; npm run -s admin -- rotate-keys > keys.json)

  To create a new key file: npm run -s keys

sweep-files:
  The service sweeps its file store every hour. It deletes the files of deleted accounts, and after 7 days the files without
  a database row. A sweep stops and deletes nothing if more than 100 files and more than 5% of all files have no row, or if
  the database seems to be older than the file store. Files with names that the service does not use are never changed.

verify-audit:
  The service seals the audit trail every 10 minutes: it signs a hash of the new events with a key that is not in the
  database. verify-audit computes the hashes again. If the database was changed outside the service, it exits with 1 and
  prints the first range of events that differs from its seal. Events that retention deleted, and personal data that the
  deletion of an account removed, are not differences. Use the AUDIT_RETENTION_DAYS of the service.`
