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

rotate-keys:
  <keys> is one of:

  tokens                    Sign access tokens (default)
  codes                     Derive one-time codes, and encrypt e-mails that wait to be sent
  links                     Sign links to files
  refresh-tokens            Sign refresh tokens
  audit-seals               Sign the seals of the audit trail; old keys are retained without end
  factors                   Encrypt the secrets of authenticator apps; keep old keys until reseal-factors has run

  Users stay logged in, and codes and links that were sent stay valid. --algorithm changes the algorithm of access tokens.
  --prepare adds a key in advance, which the next rotate-keys uses without a delay. If the keys are in KEYS, the new ones are
  printed to standard output. To create a new key file: npm run -s keys

audit:
  E-mail addresses, phone numbers and IP addresses are masked, and --address finds all events of the network. A time without
  a time of day begins at midnight UTC. The command is recorded in the audit trail as audit_listed.

More in docs/operate.md: #require-second-factors-of-administrators, #rotate-a-key, #features-that-earlier-versions-cannot-honour,
#copies-of-the-database and #sweeps of the file store, and #seals of the audit trail.`
