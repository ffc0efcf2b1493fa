import { LINE_BYTES_MAX } from './lines.ts'

export const HELP = `Imports existing accounts, with the bcrypt hashes of their passwords, into Tawthiq on its server

Usage: npm run import -- <file> [--dry-run] [--report <file>] [--format csv|jsonl]

  <file>             What is imported: CSV (RFC 4180) whose first line names the columns, or a JSON object a line.
                     UTF-8. A line has at most ${LINE_BYTES_MAX} bytes.
  --dry-run          Check all rows, also against the database, and say what would happen; no account is written
  --report <file>    Where the rows that are refused are listed, and why; <file>.refused.jsonl by default, and of a dry
                     run <file>.dry-run.refused.jsonl
  --format <format>  csv or jsonl, where the ending of the file (.csv, .jsonl, .ndjson) does not say it
  -h, --help         Show this text

The columns, or the members of the objects:

  email              The e-mail address
  password_hash      A bcrypt hash: $2a$, $2b$ or $2y$, of a cost from 4 to 15; also as another Tawthiq
                     has it, with $tw1$ before it
  phone_code         The country calling code, for example 966
  phone              The phone number, as people write it. One of 966 must be a mobile number
  account_type       client or lawyer
  name               Of a client: the full name
  first_name, second_name, third_name, fourth_name
                     Of a lawyer; the third may be empty
  phone_verified     Whether the number was confirmed: true or false; false when it is empty. Optional
  email_verified     Whether the e-mail address was confirmed: true or false; false when it is empty. Optional
  created_at         Since when there is the account, for example 2024-05-17T08:30:00Z; now when it is empty. Optional

For example:

  email,password_hash,phone_code,phone,account_type,name,phone_verified
  nouf@example.org,$2y$10$cMwdKlSVMUy.OVh3/t7JkOPwpOu1JDvWJZagmsz7pF3SYPUJHPETi,966,0512345678,client,نوف الشهري,true

People log in with the passwords that they have. Rows are checked as a registration is, and all that is wrong with one is
told at once. A row is refused, and the others are imported, when it is wrong, or its e-mail address or its verified number is taken.

An import may be interrupted at any moment: run the same command again, and it goes on where it stopped, and imports
nothing twice. Mend the refused rows in a new file, and import that.

It reads the same variables as the service (DATABASE_URL, or DATA_DIR for the embedded database), also from a file .env.
The embedded database serves one process at a time, so stop the service first; with DATABASE_URL it may run.

It ends with 0 when all rows are imported, 1 when it cannot be done, 2 when it is not understood, 3 when it is done but
rows were refused, and 130 or 143 when it was interrupted.`
