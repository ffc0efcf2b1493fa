import { LIMITS } from '../../../generated/limits.ts'

export const HELP = `Administer accounts, keys, files and the audit trail of a Tawthiq service.

Usage: npm run admin -- <command>

Accounts:
  list                      List the administrators
  grant <email>             Make an account an administrator
  revoke <email>            Remove administrator privileges from an account
  enrollment-code <email>   Print a new code, with which an administrator adds the first second factor if MFA_REQUIRED is set
  suspend <email> <reason>  Suspend an account: its sessions are revoked, and it cannot log in
  restore <email>           End the suspension of an account
  verify-email <id|email>   Mark the e-mail address of an account as verified; check the identity of its owner first
  reset-factors <id|email>  Remove the second factors of an account that lost them; check the identity of its owner first

Keys:
  rotate-keys [<keys>]      Replace the key of one purpose; everything that the old key signed stays valid
  rotate-keys [<keys>] --prepare
                            Add the key that the next rotate-keys will use
  rotate-keys --algorithm <EdDSA|ES256>
                            Sign access tokens with another algorithm, also with --prepare
  reseal-factors            Encrypt the secrets of authenticator apps with the newest key of factors, when all instances have
                            read it

Files:
  sweep-files --dry-run     Show which files a sweep would delete or schedule for deletion
  sweep-files [--max <n>]   Sweep the file store now; --max allows up to n files without a database row
  adopt-files [--yes]       Make this database the holder of the file store, for example after a restore
  check-files               Check that the file store has every file that the database names

E-mails:
  mails                     List the e-mails that wait, newest first
  mails --failed            List the e-mails of the last 7 days that will not be sent, and why
  mails --retry             Retry the e-mails that wait after a failure now

Audit trail:
  audit [<filters>]         List the newest 1,000 events that match: --request-id <id>, --address <IP address>,
                            --since <time>, --until <time>
  verify-audit              Check that no audit events were changed, added or deleted

Features that earlier versions cannot honour:
  features                  List them, and which of them are enabled
  enable-feature <name> [--yes]
                            Enable one: earlier versions cannot be started afterwards

SMS:
  sms [--hours <n>]         Show deliveries and confirmed codes of the last 24 or n hours, and paused providers

  help                      Show this text

Examples:
  npm run admin -- grant admin@example.org
  npm run admin -- suspend user@example.org "Sends advertising"
  npm run admin -- rotate-keys codes
  npm run admin -- audit --address 203.0.113.7 --since 2026-11-21T09:30:00Z

Configuration:
  The command reads the same variables as the service (DATABASE_URL, or DATA_DIR for the embedded database), also from a
  file .env. Stop the service first if it uses the embedded database. Changes of accounts take effect with the next request
  and are recorded in the audit trail.

Exit codes:
  0  Success
  1  The command failed; standard error says why
  2  Usage error

enrollment-code:
  If MFA_REQUIRED=administrators is set, the first second factor of an administrator needs a code, and so does the first one
  after grant, so that a stolen password alone adds none. grant prints it too. It is valid once, for ${LIMITS.factors.enrollment_hours} hours, until a new one
  is printed, or until the sessions of the account are revoked, for example with a new password. See docs/operate.md#require-second-factors-of-administrators.

rotate-keys:
  <keys> is one of:

  tokens                    Sign access tokens (default)
  codes                     Derive one-time codes, and encrypt e-mails that wait to be sent
  links                     Sign links to files
  refresh-tokens            Sign refresh tokens
  audit-seals               Sign the seals of the audit trail; old keys are retained without end
  factors                   Encrypt the secrets of authenticator apps; keep old keys until reseal-factors has run

  The service reads its key file every few seconds. It uses a new key when all running instances have it: after 7 minutes for
  access tokens, because clients may have stored the JWKS, and after 2 minutes for the others. A restart changes nothing
  about that. Users stay logged in, and codes and links that were sent stay valid: the old key verifies them until they
  expire, and a later rotation removes it.

  Instances that read the file itself need no restart. If they have copies, such as secrets of Kubernetes, replace the copies;
  see docs/operate.md#rotate-a-key for systemd, Kubernetes and Compose. If the keys are in KEYS, the new ones are printed to
  standard output: set KEYS to them within a day, and restart the instances one after the other:

  (umask 077; npm run -s admin -- rotate-keys > keys.json)

  --algorithm changes the algorithm of access tokens; later rotations keep it. The tokens of the old key stay valid. Update all
  instances first, and services that verify tokens themselves: those that accept one algorithm only reject the others. For
  libraries, see the guide "Sessions and tokens".

  --prepare adds a key that instances and clients learn in advance. The next rotate-keys uses it without a delay.

  To create a new key file: npm run -s keys

enable-feature:
  Enable a feature when all instances have been upgraded and no rollback is needed any more: earlier versions do not start
  afterwards. The command watches the connections to the database for 60 s, and changes nothing if it sees one of an earlier
  version, or one of the service's user without a version in its name, such as pg_dump. A pooler can hide instances: with
  DATABASE_POOLER=transaction, check yourself that none of them is an earlier version, and add --yes.

sweep-files:
  The service sweeps its file store every hour. It deletes the files of deleted accounts, and after 7 days the files without
  a database row. A sweep stops and deletes nothing if more than 100 files and more than 5% of all files have no row, or if
  another copy of the database holds the file store. Files with names that the service does not use are never changed.

adopt-files:
  Makes this database the holder of the file store. Other copies of the database stop deleting files within a minute. Scheduled
  deletions are postponed by 7 days.

audit:
  Prints the newest event first. E-mail addresses, phone numbers and IP addresses are masked, as in the access lines and in
  GET /api/v1/admin/audit, and --address finds all events of the network. A time without a time of day begins at midnight
  UTC. The command is recorded in the audit trail as audit_listed.

verify-audit:
  The service seals the audit trail every 10 minutes: it signs a hash of the new events with a key that is not in the
  database. verify-audit computes the hashes again. If the database was changed outside the service, it exits with 1 and
  prints the first range of events that differs from its seal. Events that retention deleted, and personal data that the
  deletion of an account removed, are not differences. Use the AUDIT_RETENTION_DAYS of the service.`
