// The metrics of the service, by their names in Prometheus. Labels have few values: no ids, addresses or phone numbers.

/** What a metric says, for `/metrics` and docs/monitoring.md, and the names of its labels. */
export type Family = Readonly<{ help: string; labels: readonly string[] }>

/** Numbers that only increase while the process runs. */
export const COUNTERS = {
  tawthiq_http_unparsed_requests_total: {
    help: 'Requests and connections rejected before they were parsed: malformed, too slow or too many.',
    labels: ['error_code'],
  },
  tawthiq_observation_failures_total: {
    help: 'Failures of access lines, metrics, traces and logs. Requests are not affected, but each failure is a bug.',
    labels: ['observer'],
  },
  tawthiq_rate_limit_refusals_total: {
    help: 'Requests and messages rejected by a rate limit, by policy as in RateLimit-Policy.',
    labels: ['policy'],
  },
  tawthiq_queue_rejections_total: {
    help: 'Work rejected because its queue was full, or because it waited or took too long.',
    labels: ['queue'],
  },
  tawthiq_sms_messages_total: {
    help: 'Messages passed to a provider. The outcome is sent, refused (nothing was sent) or unknown.',
    labels: ['provider', 'channel', 'calling_code', 'outcome'],
  },
  tawthiq_sms_refused_total: {
    help: 'SMS that were not sent. The reason is providers, limits_unavailable, number-type, or the policy of a used-up budget.',
    labels: ['reason', 'calling_code'],
  },
  tawthiq_sms_fraud_recorded_total: {
    help: 'SMS that fraud rules would have rejected, with SMS_FRAUD_MODE=record. The rule is number-type, or the policy of a used-up limit.',
    labels: ['rule', 'calling_code'],
  },
  tawthiq_captcha_checks_total: {
    help: 'Solutions of challenges. The outcome is valid, invalid or unavailable (no response of the verifier).',
    labels: ['outcome'],
  },
  tawthiq_sms_confirmed_total: { help: 'Codes that were confirmed.', labels: ['calling_code'] },
  tawthiq_sms_receipts_total: {
    help: 'Messages whose receipt reports delivered or failed. The country is unknown if the receipt arrives before the message is stored.',
    labels: ['provider', 'calling_code', 'state'],
  },
  tawthiq_sms_conversions_total: {
    help: 'Messages whose code was confirmed, by the provider of the last message.',
    labels: ['provider', 'calling_code'],
  },
  tawthiq_sms_pauses_total: {
    help: 'Pauses of providers whose messages do not arrive. The reason is not_delivered or failed.',
    labels: ['provider', 'calling_code', 'reason'],
  },
  tawthiq_sms_records_lost_total: {
    help: 'Messages and confirmations not recorded, because the database did not respond for long.',
    labels: [],
  },
  tawthiq_mail_messages_total: {
    help: 'E-mails passed to the mail server. The outcome is sent or failed.',
    labels: ['outcome'],
  },
  tawthiq_event_deliveries_total: {
    help: 'Deliveries of events. The outcome is delivered, failed (to be retried) or abandoned (no more retries).',
    labels: ['outcome'],
  },
  tawthiq_maintenance_runs_total: {
    help: 'Runs of sweeps and other periodic work. The outcome is success or failure.',
    labels: ['task', 'outcome'],
  },
} as const satisfies Record<string, Family>

/** Durations in seconds. */
export const HISTOGRAMS = {
  http_server_request_duration_seconds: {
    help: 'Time from the headers of a request to the end of its response. Status 499: the client disconnected before it.',
    labels: ['operation', 'method', 'status', 'error_code'],
  },
  db_client_connection_wait_time_seconds: {
    help: 'Time that requests waited for a connection to PostgreSQL, if they waited.',
    labels: [],
  },
  tawthiq_queue_wait_seconds: {
    help: 'Time that work waited in a queue. Work that started at once counts as 0.',
    labels: ['queue'],
  },
  tawthiq_dependency_duration_seconds: {
    help: 'Time of calls to other systems, also of those that fail. The dependency is mail, events or the name of a circuit breaker.',
    labels: ['dependency'],
  },
  tawthiq_maintenance_duration_seconds: { help: 'Duration of sweeps and other periodic work.', labels: ['task'] },
} as const satisfies Record<string, Family>

/** Numbers that are read when /metrics is. */
export const GAUGES = {
  http_server_active_requests: { help: 'Requests whose responses have not ended.', labels: [] },
  db_client_connections: { help: 'Open connections to PostgreSQL. The state is idle or used.', labels: ['state'] },
  db_client_connection_max: { help: 'Maximum number of connections to PostgreSQL (DATABASE_CONNECTIONS).', labels: [] },
  db_client_connection_pending_requests: { help: 'Requests that wait for a connection to PostgreSQL.', labels: [] },
  tawthiq_queue_waiting: { help: 'Work that waits in a queue.', labels: ['queue'] },
  tawthiq_queue_running: { help: 'Work of a queue that is running.', labels: ['queue'] },
  tawthiq_background_tasks: { help: 'Work after a response that has not ended, such as notices.', labels: [] },
  tawthiq_backlog_items: {
    help: 'E-mails and events that are to be delivered, and audit events without a seal, of all instances. At most 10000 are counted.',
    labels: ['backlog'],
  },
  tawthiq_backlog_oldest_age_seconds: {
    help: 'Age of the oldest item of a backlog; 0 if there is none.',
    labels: ['backlog'],
  },
  tawthiq_circuit_state: {
    help: '1 for the current state of a circuit breaker (closed, half_open or open), and 0 for the others.',
    labels: ['circuit', 'state'],
  },
  tawthiq_sms_budget_used: {
    help: 'SMS of the day that a budget counts, as this instance last read it. Take the maximum over all instances.',
    labels: ['budget', 'calling_code'],
  },
  tawthiq_sms_budget_limit: {
    help: 'SMS per day that a budget allows. Of unconfirmed SMS, those that it allows at once.',
    labels: ['budget'],
  },
  tawthiq_file_store_state: {
    help: 'Always 1. The state of the file store is held, waiting, contested, foreign, unconditional or unknown. Files are deleted only if it is held.',
    labels: ['state', 'database', 'holder'],
  },
  tawthiq_maintenance_last_success_timestamp_seconds: {
    help: 'When a periodic task last succeeded, as a Unix time.',
    labels: ['task'],
  },
  tawthiq_key_age_seconds: {
    help: 'Age of the key that is used, by list of the key file, if its kid has a date.',
    labels: ['list'],
  },
  tawthiq_key_mismatches: {
    help: 'Running instances on the same database whose keys differ.',
    labels: [],
  },
  tawthiq_clock_difference_seconds: {
    help: 'How far the clock of the database is ahead of that of the instance. Negative if it is behind.',
    labels: [],
  },
  tawthiq_administrators_without_factor: {
    help: 'Administrators without a second factor, except for suspended ones.',
    labels: [],
  },
  tawthiq_migrations: {
    help: 'Migrations of the database. The state is applied, pending or unknown (of a later version).',
    labels: ['state'],
  },
  tawthiq_database_readable: {
    help: '1 if the metrics from the database could be read. They are left out otherwise.',
    labels: [],
  },
  tawthiq_build_info: { help: 'Always 1. The labels name the running version.', labels: ['version', 'commit', 'node'] },
} as const satisfies Record<string, Family>

type Counters = typeof COUNTERS
type Histograms = typeof HISTOGRAMS
type Gauges = typeof GAUGES
type Labels<Of extends Family> = Readonly<Record<Of['labels'][number], string>>

/** The value of a gauge for one combination of labels. */
export type Sample<Label extends string> = Readonly<{ labels: Readonly<Record<Label, string>>; value: number }>
type SampleOf<Name extends keyof Gauges> = Sample<Gauges[Name]['labels'][number]>

/** A duration whose labels are fixed. */
export type Observe = (seconds: number) => void

/** The instruments of the service. */
export type Metrics = {
  count<Name extends keyof Counters>(name: Name, labels: Labels<Counters[Name]>): void
  /** Returns a function that adds a duration. Calling it is cheaper than finding it. */
  duration<Name extends keyof Histograms>(name: Name, labels: Labels<Histograms[Name]>): Observe
  /** Adds a function that is called whenever the metrics are read. If it throws, its samples are left out. */
  watch<Name extends keyof Gauges>(
    name: Name,
    read: () => readonly SampleOf<Name>[] | Promise<readonly SampleOf<Name>[]>,
  ): void
}

/** Makes a call, and adds its duration whether or not it fails. */
export async function timed<Result>(observe: Observe, call: () => Promise<Result>): Promise<Result> {
  const startMs = performance.now()
  return call().finally(() => observe((performance.now() - startMs) / 1000))
}

export const NO_METRICS: Metrics = { count: () => undefined, duration: () => () => undefined, watch: () => undefined }
