import { LINE_BYTES_MAX } from './readers/lines.ts'

export const HELP = `Import existing accounts with their bcrypt password hashes into a Tawthiq service.

Usage: npm run import -- <file> [--dry-run] [--report <file>] [--format csv|jsonl]

  <file>             CSV (RFC 4180) with column names in the first line, or one JSON object per line. The encoding is
                     UTF-8, and a line has at most ${LINE_BYTES_MAX} bytes
  --dry-run          Check all rows, also against the database, and write no account
  --report <file>    Path of the report of rejected rows. Default: <file>.rejected.jsonl, or
                     <file>.dry-run.rejected.jsonl for a dry run
  --format <format>  csv or jsonl. Default: from the extension of the file (.csv, .jsonl, .ndjson)
  -h, --help         Show this text

Columns of CSV, or members of JSON objects:

  email              E-mail address
  password_hash      bcrypt hash: $2a$, $2b$ or $2y$, with a cost from 4 to 15; or a hash of another Tawthiq
                     service with the prefix $tw1$
  phone_code         Country calling code, for example 966
  phone              Phone number, national or international. For 966, it must be a mobile number
  account_type       client or lawyer
  name               Full name; clients only
  first_name, second_name, third_name, fourth_name
                     Names; lawyers only. third_name is optional
  phone_verified     Whether the number is verified: true or false. Optional, default false
  email_verified     Whether the e-mail address is verified: true or false. Optional, default false
  created_at         When the account was created, for example 2024-05-17T08:30:00Z. Optional, default now
  totp_secret        Secret of an authenticator app: base32, or an otpauth://totp/ URI with SHA-1, 6 digits and 30 seconds.
                     Optional
  passkeys           List of passkeys, as docs/importing.md describes. Optional; JSON objects only

Example:

  email,password_hash,phone_code,phone,account_type,name,phone_verified
  nouf@example.org,$2y$10$cMwdKlSVMUy.OVh3/t7JkOPwpOu1JDvWJZagmsz7pF3SYPUJHPETi,966,0512345678,client,نوف الشهري,true

Users log in with their existing passwords, authenticator apps and passkeys. Rows are validated like registrations. A row is
rejected if it is invalid, or if its e-mail address, its verified phone number or one of its passkeys is taken; the report
lists all of its errors. Only rows that are valid are compared with stored accounts. All other rows are imported. Correct the
rejected rows in a new file and import that file.

An import can be interrupted at any time. Run the same command again: it continues after the last stored row and imports
nothing twice.

The command reads the same variables as the service (DATABASE_URL, or DATA_DIR for the embedded database; KEYS or KEYS_FILE
and WEBAUTHN_RP_ID for second factors), also from a file .env. Stop the service first if it uses the embedded database.

Exit codes:
  0         All rows are imported
  1         The import failed; standard error says why
  2         Usage error
  3         Completed, but rows were rejected
  130, 143  Interrupted; run the same command again`
