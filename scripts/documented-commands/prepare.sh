# Starts what the pages suppose, and defines how a block of each kind is run. Sourced in the source directory, as root.
echo '127.0.0.1 db.internal' >>/etc/hosts
pg_conftool 15 main set port 5432 # its installation has seen the servers of this machine
service postgresql start
service redis-server start
node dist/scripts/sms-simulator.js >/var/log/sms.log &
runuser --user postgres -- psql --quiet --file=/blocks/roles.sql
cat >.env <<'END'
NODE_ENV=production
DATABASE_URL=postgresql://tawthiq_app:choose%20another@db.internal/tawthiq
MIGRATE_AT_START=no
REDIS_URL=redis://127.0.0.1
KEYS_FILE=/etc/tawthiq/keys.json
FILES_DIR=/var/lib/tawthiq/files
SMS_PROVIDERS=webhook
SMS_WEBHOOK_URL=http://127.0.0.1:4010/webhook
ALLOW_INSECURE_URLS=SMS_WEBHOOK_URL
TRUST_PROXY=127.0.0.1
SHUTDOWN_DELAY=0
MANAGEMENT_PORT=9464
END

shell() {
  printf '\n## %s\n' "$1"
  . "/blocks/$1" < <(answers "$1")
}

postgres() {
  printf '\n## %s\n' "$1"
  runuser --login postgres --command="bash -eo pipefail '/blocks/$1'" < <(answers "$1")
}

# Starts a service, and waits until it is ready. The one before ends.
serve() {
  printf '\n## %s\n' "$1"
  [ ! -f /run/group ] || kill -INT -- "-$(cat /run/group)"
  while [ -f /run/group ] && kill -0 -- "-$(cat /run/group)" 2>/dev/null; do sleep 0.1; done
  setsid bash -eo pipefail "/blocks/$1" &>/var/log/service.log </dev/null &
  echo $! >/run/group
  until curl --silent --fail --output /dev/null http://127.0.0.1:3000/health/ready; do
    sleep 0.2
    kill -0 $! || tail /var/log/service.log
    kill -0 $!
  done
}

# Prints what an operator enters: the code of the SMS, or a time after which a table is created by mistake.
answers() {
  if grep --quiet '^read .* otp$' "/blocks/$1"; then
    until grep --only-matching --word-regexp '[0-9]\{6\}' /var/log/sms.log; do sleep 0.1; done
  elif grep --quiet '^read .* target$' "/blocks/$1"; then
    date --utc '+%F %T.%N+00'
    runuser --user postgres -- psql --quiet --command='CREATE TABLE mistake ()' --command='SELECT pg_switch_wal()' tawthiq >/dev/null
  fi
}

# After the last page, the recovered server has the database, and not the table.
finish() {
  runuser --user postgres -- psql --port=5433 --quiet --command='CREATE TABLE mistake ()' tawthiq
}
