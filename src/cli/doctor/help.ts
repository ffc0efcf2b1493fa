export const HELP = `Check the configuration of a Tawthiq service and every system that it depends on.

Usage: npm run doctor

Each line has a result:

  ok       The system works as the service needs it
  WARNING  The service starts, but something is ignored or missing, or leaves a risk; the line says what to do
  skipped  Not configured, or not possible without a side effect such as an SMS
  FAILED   The service would not start, or a part of it would not work; the line says why

The command changes no data of the service. It writes, reads and deletes one key in Redis and one file in the file store,
logs in to the mail server, and sends an invalid solution to the CAPTCHA verifier. No e-mail, SMS or event is sent. Without npm,
run node dist/service/main.js doctor.

  -h, --help  Show this text

Configuration:
  The variables of the service, also from a file .env. Stop the service first if it uses the embedded database.

Exit codes:
  0  Nothing failed
  1  At least one check failed, or the configuration is invalid
  2  Usage error`
