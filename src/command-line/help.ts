export const HELP = `Administers the accounts of Tawthiq on its server.

Usage: npm run admin -- <command>

  list                      List the administrators
  grant <email>             Make an account an administrator
  revoke <email>            Take the privileges of an administrator
  suspend <email> <reason>  Suspend an account: its sessions end, and nobody can log in to it
  restore <email>           Let a suspended account be used again
  help                      Show this text

For example:

  npm run admin -- grant admin@example.org
  npm run admin -- suspend somebody@example.org "Sends advertising"

It reads the same variables as the service (DATABASE_URL, or DATA_DIR for the embedded database), also from a file .env.
The embedded database serves one process at a time, so stop the service first; with DATABASE_URL it may run. What is done
is kept in the audit trail, and holds from the next request on.

It ends with 0 when it is done, 1 when it cannot be done, and 2 when the command is not one of these.

New secrets for KEYS_FILE or KEYS are printed by another command: npm run -s keys`
