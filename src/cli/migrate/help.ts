export const HELP = `Create or update the tables of the database of a Tawthiq service.

Usage: npm run migrate -- [--status | --dry-run | --check-compatibility]

  --status    List what is missing, and change nothing. Exits with 3 if anything is missing
  --dry-run   Print the SQL that would run, and change nothing
  --check-compatibility
              Say whether instances of the last release can run beside this version, and can be started again after
              migrate. Changes nothing. Exits with 3 if they cannot
  -h, --help  Show this text

Run it once before each new version, with a user who owns the tables. Instances of the previous version continue to serve
requests meanwhile: a migration waits at most 0.5 s for a table, and is repeated until the table is free. Without npm, run
node dist/service/main.js migrate.

Configuration:
  DATABASE_URL, or DATA_DIR for the embedded database. Stop the service first if it uses the embedded database.

Exit codes:
  0  The database is up to date
  1  The command failed; standard error says why
  2  Usage error
  3  Migrations are missing (--status), or the last release is not compatible (--check-compatibility)`
