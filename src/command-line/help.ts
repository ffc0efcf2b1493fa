export const HELP = `Administers the accounts of Tawthiq on its server, and its keys.

Usage: npm run admin -- <command>

  list                      List the administrators
  grant <email>             Make an account an administrator
  revoke <email>            Take the privileges of an administrator
  suspend <email> <reason>  Suspend an account: its sessions end, and nobody can log in to it
  restore <email>           Let a suspended account be used again
  verify-email <id|email>   Mark the e-mail address of an account as verified, after you have checked who its owner is
  rotate-keys [<keys>]      Replace a key by a new one; what was made with the old one stays valid
  rotate-keys [<keys>] --prepare
                            Add the key that the next rotate-keys will use
  sweep-files --dry-run     List the files that a sweep of the file store would delete or schedule for deletion
  sweep-files [--max <n>]   Sweep the file store now; with --max, also when up to n files have no row in the database
  adopt-files [--yes]       Bind the file store to this database, for example after a restore from a backup
  verify-audit              Check that no events of the audit trail were changed, added or deleted
  help                      Show this text

For example:

  npm run admin -- grant admin@example.org
  npm run admin -- suspend somebody@example.org "Sends advertising"
  npm run admin -- rotate-keys codes

It reads the same variables as the service (DATABASE_URL, or DATA_DIR for the embedded database), also from a file .env.
The embedded database serves one process at a time, so stop the service first; with DATABASE_URL it may run. What is done
is kept in the audit trail, and holds from the next request on.

Keys: rotate-keys replaces the key of one purpose. <keys> is one of:

  tokens                    Signs access tokens (the default)
  codes                     Makes the one-time codes that are sent by SMS
  links                     Signs links to files
  refresh-tokens            Signs refresh tokens
  audit-seals               Signs the seals of the audit trail; all keys are kept, because seals are

Nobody is logged out, and links and codes that are in use still work: the old key verifies them until they have expired,
and a later rotation removes it. Restart the service within a day after a rotation. It may run meanwhile: it reads its keys
when it starts.
Several instances that are restarted one after the other must all know a key before one of them uses it:

  1. npm run admin -- rotate-keys <keys> --prepare    once, for all instances
  2. Restart them, one after the other
  3. npm run admin -- rotate-keys <keys>              once
  4. Restart them, in any order

The keys are in KEYS_FILE, or in keys.json in DATA_DIR; give a copy to instances that have a file of their own. Where they are
in KEYS, the new ones are printed, and nothing else: (umask 077; npm run -s admin -- rotate-keys > keys.json)

The service sweeps its file store every hour: files of deleted accounts are deleted, and files without a row in the database
are deleted after 7 days. A sweep stops, and deletes nothing, when more than 100 files and more than 5 % of all files have no row,
or when the database seems to be older than the store. Files with other names than the service gives are never touched.

The service seals the audit trail every 10 minutes: it signs a hash of the new events with a key that the database does
not have. verify-audit computes the hashes again. If the database was changed outside the service, it ends with 1 and names
the first range of events that differs from its seal. Events that retention has deleted, and personal data that the deletion
of an account has removed, are not differences. AUDIT_RETENTION_DAYS must have the same value as in the service.

It ends with 0 when it is done, 1 when it cannot be done, and 2 when the command is not one of these.

New secrets for KEYS_FILE or KEYS are printed by another command: npm run -s keys`
