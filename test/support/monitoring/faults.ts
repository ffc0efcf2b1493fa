// What the metrics of an instance are during each fault, and which alerts must report it after how many seconds.
import { requests, type Courses } from './series.ts'

export type Fault = Readonly<{
  /** The series that change; undefined if they end */
  metrics: Courses
  /** The seconds from the fault to each alert. No other alert fires within five minutes. */
  alerts: Readonly<Record<string, number>>
  /** For how many hours all was as usual; 1 by default */
  hoursBefore?: number
  /** Series that were not as usual before the fault */
  before?: Courses
}>

const sms = (labels: string): string => `tawthiq_sms_messages_total{provider="webhook",channel="sms",${labels}}`
const SENT = sms('calling_code="966",outcome="sent"')
const REFUSED = sms('calling_code="966",outcome="refused"')
const UNKNOWN = sms('calling_code="966",outcome="unknown"')
const CONFIRMED = 'tawthiq_sms_confirmed_total{calling_code="966"}'
const notSent = (reason: string): string => `tawthiq_sms_refused_total{reason="${reason}",calling_code="966"}`
const circuit = (name: string): string => `tawthiq_circuit_state{circuit="${name}",state="open"}`
const mails = (outcome: string): string => `tawthiq_mail_messages_total{outcome="${outcome}"}`
const events = (outcome: string): string => `tawthiq_event_deliveries_total{outcome="${outcome}"}`
const age = (backlog: string): string => `tawthiq_backlog_oldest_age_seconds{backlog="${backlog}"}`
const lastSuccess = (task: string): string => `tawthiq_maintenance_last_success_timestamp_seconds{task="${task}"}`
/** Calls to a system, each a minute, and those of them that take at most 2.5 s */
const calls = (dependency: string, perMinute: number, inTime: number): Courses => {
  const name = 'tawthiq_dependency_duration_seconds'
  return {
    [`${name}_count{dependency="${dependency}"}`]: { perMinute },
    [`${name}_bucket{dependency="${dependency}",le="2.5"}`]: { perMinute: inTime },
  }
}
const ON = { value: 1 }
const OFF = { value: 0 }
const NONE = { perMinute: 0 }

/** Normal traffic: 2 % of the passwords are wrong, and now and then something fails. */
export const USUAL: Courses = {
  up: ON,
  tawthiq_database_readable: ON,
  tawthiq_key_mismatches: OFF,
  'tawthiq_key_age_seconds{list="tokens"}': { value: 90 * 86_400, perSecond: 1 },
  tawthiq_clock_difference_seconds: { value: 0.02 },
  ...requests('checkToken', { perMinute: 600 }),
  ...requests('checkToken', { perMinute: 6, isSlow: true, status: 401, code: 'token_expired' }),
  ...requests('getProfile', { perMinute: 400 }),
  ...requests('getProfile', { perMinute: 0.02, status: 503, code: 'database_unavailable' }),
  ...requests('login', { perMinute: 98 }),
  ...requests('login', { perMinute: 2, status: 401, code: 'credentials_wrong' }),
  ...requests('refreshToken', { perMinute: 60 }),
  ...requests('checkPhone', { perMinute: 2.1 }),
  ...requests('checkPhone', { perMinute: 0.002, status: 503, code: 'sms_unavailable' }),
  ...requests('confirmPhone', { perMinute: 2 }),
  ...requests('register', { perMinute: 1.5, isSlow: true, status: 201 }),
  ...requests('requestPasswordReset', { perMinute: 3 }),
  ...requests('resetPassword', { perMinute: 2 }),
  ...requests('updateProfile', { perMinute: 6, isSlow: true }),
  'tawthiq_queue_rejections_total{queue="password_hash"}': NONE,
  db_client_connection_pending_requests: OFF,
  [circuit('redis')]: OFF,
  [circuit('sms_webhook')]: OFF,
  [circuit('sms_delivery_webhook_sms_966')]: OFF,
  [mails('sent')]: { perMinute: 10 },
  [mails('failed')]: { perMinute: 0.2 },
  [events('delivered')]: { perMinute: 10 },
  [events('failed')]: { perMinute: 0.2 },
  ...calls('file_store', 20, 19.5),
  ...calls('sms_webhook', 5, 4.8),
  ...calls('mail', 10, 8),
  ...calls('events', 10, 9.5),
  [age('mails')]: { value: 20 },
  [age('events')]: { value: 20 },
  [age('unsealed_audit_events')]: { value: 1300 },
  [SENT]: { perMinute: 5 },
  [REFUSED]: { perMinute: 0.2 },
  [notSent('providers')]: { perMinute: 0.2 },
  [notSent('sms-day')]: NONE,
  [CONFIRMED]: { perMinute: 4 },
  'tawthiq_sms_budget_used{budget="day",calling_code=""}': { value: 2000 },
  'tawthiq_sms_budget_used{budget="country_day",calling_code="966"}': { value: 2000 },
  'tawthiq_sms_budget_limit{budget="day"}': { value: 10_000 },
  'tawthiq_sms_budget_limit{budget="country_day"}': { value: 5000 },
  'tawthiq_file_store_state{state="held",database="main",holder="main"}': ON,
  [lastSuccess('database_sweep')]: { value: 0, perSecond: 1 },
  'tawthiq_maintenance_runs_total{task="database_sweep",outcome="success"}': { perMinute: 1 / 60 },
  'tawthiq_migrations{state="pending"}': OFF,
}

/** Night: one request fails now and then, and there are few others. */
export const NIGHT: Courses = {
  ...Object.fromEntries(
    Object.entries(USUAL).map(([name, course]) => [name, course && 'perMinute' in course ? NONE : course]),
  ),
  ...requests('login', { perMinute: 0.1 }),
  ...requests('login', { perMinute: 0.02, status: 503, code: 'overloaded' }),
  ...requests('checkPhone', { perMinute: 0.02, status: 503, code: 'sms_unavailable' }),
  [notSent('providers')]: { perMinute: 0.02 },
  [REFUSED]: { perMinute: 0.02 },
  [mails('failed')]: { perMinute: 0.02 },
  [events('failed')]: { perMinute: 0.02 },
}

/** Replaces the responses of an operation. */
const failing = (operation: string, perMinute: number, code: string): Courses => ({
  ...requests(operation, { perMinute: 0 }),
  ...requests(operation, { perMinute, status: 503, code }),
})
const DATABASE = 'database_unavailable'
const UPLOADS = {
  ...requests('updateProfile', { perMinute: 0, isSlow: true }),
  ...requests('updateProfile', { perMinute: 6, status: 503, code: 'storage_unavailable' }),
}

export const FAULTS: Readonly<Record<string, Fault>> = {
  'an instance does not respond': { metrics: { up: OFF }, alerts: { TawthiqDown: 120 } },
  'Prometheus has no target': {
    metrics: Object.fromEntries(Object.keys(USUAL).map((name) => [name, undefined])),
    alerts: { TawthiqDown: 120 },
  },
  'PostgreSQL is down at night': { metrics: { tawthiq_database_readable: OFF }, alerts: { TawthiqDatabase: 60 } },
  'PostgreSQL is down': {
    metrics: {
      tawthiq_database_readable: OFF,
      ...failing('checkToken', 600, DATABASE),
      ...failing('getProfile', 400, DATABASE),
      ...failing('login', 98, DATABASE),
      ...failing('refreshToken', 60, DATABASE),
      ...failing('checkPhone', 2.1, DATABASE),
    },
    alerts: {
      TawthiqJourneyDegraded: 30,
      TawthiqDatabase: 60,
      TawthiqJourneyFails: 60,
      TawthiqErrorCode: 120,
      TawthiqErrors: 120,
    },
  },
  'PostgreSQL has a full disk: reads succeed': {
    metrics: { ...failing('login', 98, DATABASE), ...failing('refreshToken', 60, DATABASE) },
    alerts: { TawthiqJourneyDegraded: 30, TawthiqJourneyFails: 60, TawthiqErrorCode: 150, TawthiqErrors: 150 },
  },
  'an instance has another key file': { metrics: { tawthiq_key_mismatches: ON }, alerts: { TawthiqKeysDiffer: 60 } },
  'a key is old': {
    before: { 'tawthiq_key_age_seconds{list="tokens"}': { value: 400 * 86_400 - 3600, perSecond: 1 } },
    metrics: { 'tawthiq_key_age_seconds{list="tokens"}': { value: 400 * 86_400, perSecond: 1 } },
    alerts: { TawthiqKeyAge: 90 },
  },
  'a clock is a minute ahead': {
    metrics: { tawthiq_clock_difference_seconds: { value: -60 } },
    alerts: { TawthiqClockDiffers: 120 },
  },
  '2 % of all requests fail': {
    metrics: requests('getProfile', { perMinute: 24, status: 500, code: 'unexpected' }),
    alerts: { TawthiqErrorCode: 150, TawthiqErrors: 270 },
  },
  'an error that few requests meet': {
    metrics: requests('listSessions', { perMinute: 2, status: 500, code: 'unexpected' }),
    alerts: { TawthiqErrorCode: 180 },
  },
  'a thousandth of the requests fails for hours, and then a tenth of the logins': {
    hoursBefore: 6,
    before: requests('login', { perMinute: 0.5, status: 503, code: DATABASE }),
    metrics: requests('login', { perMinute: 12, status: 503, code: DATABASE }),
    alerts: { TawthiqErrorCode: 120, TawthiqJourneyDegraded: 180, TawthiqJourneyFails: 300 },
  },
  'a third of the token checks is slow': {
    metrics: {
      ...requests('checkToken', { perMinute: 400 }),
      ...requests('checkToken', { perMinute: 200, status: 200, code: '', isSlow: true }),
    },
    alerts: { TawthiqSlow: 240 },
  },
  'too many passwords are checked': {
    metrics: { 'tawthiq_queue_rejections_total{queue="password_hash"}': { perMinute: 30 } },
    alerts: { TawthiqOverloaded: 120 },
  },
  'requests wait for connections': {
    metrics: { db_client_connection_pending_requests: { value: 12 } },
    alerts: { TawthiqDatabaseConnections: 180 },
  },
  'Redis is down': {
    metrics: {
      [circuit('redis')]: ON,
      ...failing('checkPhone', 2.1, 'limits_unavailable'),
      ...failing('requestPasswordReset', 3, 'limits_unavailable'),
      [SENT]: NONE,
      [CONFIRMED]: NONE,
      [notSent('limits_unavailable')]: { perMinute: 5 },
    },
    alerts: {
      TawthiqSmsRefused: 60,
      TawthiqJourneyFails: 90,
      TawthiqCircuitOpen: 120,
      TawthiqErrorCode: 150,
      TawthiqJourneyDegraded: 210,
    },
  },
  'the bucket accepts no writes': {
    metrics: UPLOADS,
    alerts: { TawthiqJourneyFails: 60, TawthiqJourneyDegraded: 90, TawthiqErrorCode: 150 },
  },
  'the file store takes 3 s for each call': {
    metrics: calls('file_store', 20, 0),
    alerts: { TawthiqDependencySlow: 150 },
  },
  'the mail server takes 3 s for an e-mail, and there are few': {
    before: calls('mail', 1, 1),
    metrics: calls('mail', 1.2, 0),
    alerts: { TawthiqDependencySlow: 150 },
  },
  'the mail server rejects all e-mails': {
    metrics: { [mails('sent')]: NONE, [mails('failed')]: { perMinute: 10 } },
    alerts: { TawthiqMail: 120 },
  },
  'the receiver of events is down': {
    metrics: { [events('delivered')]: NONE, [events('failed')]: { perMinute: 10 } },
    alerts: { TawthiqEvents: 120 },
  },
  'an e-mail has waited for too long': {
    metrics: { [age('mails')]: { value: 880, perSecond: 1 } },
    alerts: { TawthiqBacklog: 90 },
  },
  'the only SMS webhook returns 401': {
    metrics: {
      [SENT]: NONE,
      [CONFIRMED]: NONE,
      [REFUSED]: { perMinute: 2.1 },
      [notSent('providers')]: { perMinute: 2.1 },
      ...failing('checkPhone', 2.1, 'sms_unavailable'),
      [circuit('sms_webhook')]: ON,
    },
    alerts: {
      TawthiqCircuitOpen: 120,
      TawthiqSmsRefused: 120,
      TawthiqErrorCode: 180,
      TawthiqJourneyFails: 180,
      TawthiqSmsProvider: 210,
      TawthiqJourneyDegraded: 270,
    },
  },
  'an SMS provider does not respond': {
    metrics: { [SENT]: NONE, [CONFIRMED]: NONE, [UNKNOWN]: { perMinute: 5 } },
    alerts: { TawthiqSmsProvider: 150 },
  },
  'the first of two SMS providers rejects messages': {
    metrics: {
      [SENT]: NONE,
      [REFUSED]: { perMinute: 5 },
      'tawthiq_sms_messages_total{provider="other",channel="sms",calling_code="966",outcome="sent"}': { perMinute: 5 },
    },
    alerts: { TawthiqSmsProvider: 150 },
  },
  'an SMS provider accepts messages, and delivers none': {
    metrics: { [CONFIRMED]: NONE },
    alerts: { TawthiqSmsConversion: 240 },
  },
  'a provider is paused for a country': {
    metrics: { [circuit('sms_delivery_webhook_sms_966')]: ON },
    alerts: { TawthiqSmsPaused: 60 },
  },
  'most SMS of the day are sent': {
    metrics: { 'tawthiq_sms_budget_used{budget="day",calling_code=""}': { value: 8100 } },
    alerts: { TawthiqSmsBudget: 0 },
  },
  'most SMS of a country are sent': {
    metrics: { 'tawthiq_sms_budget_used{budget="country_day",calling_code="966"}': { value: 4100 } },
    alerts: { TawthiqSmsBudget: 0 },
  },
  'two databases use one file store': {
    metrics: {
      'tawthiq_file_store_state{state="held",database="main",holder="main"}': undefined,
      'tawthiq_file_store_state{state="contested",database="main",holder="copy"}': ON,
    },
    alerts: { TawthiqFileStore: 180 },
  },
  'audit events are not sealed': {
    metrics: { [age('unsealed_audit_events')]: { value: 2380, perSecond: 1 } },
    alerts: { TawthiqAuditSeals: 90 },
  },
  'a task has failed for three hours': {
    before: { [lastSuccess('database_sweep')]: { value: -3600 - 3580 } },
    metrics: { [lastSuccess('database_sweep')]: { value: -3600 - 3580 } },
    alerts: { TawthiqMaintenance: 30 },
  },
  'a task has never succeeded': {
    metrics: { 'tawthiq_maintenance_runs_total{task="lookup_refresh",outcome="failure"}': { perMinute: 6 } },
    alerts: { TawthiqMaintenance: 30 },
  },
  'migrations are missing': {
    metrics: { 'tawthiq_migrations{state="pending"}': { value: 2 } },
    alerts: { TawthiqMigrations: 180 },
  },
}
