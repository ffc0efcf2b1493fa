// Generated from openapi/ by `npm run generate`. Do not edit.

export const LIMITS = {
  access_token: {
    minutes: 60,
  },
  refresh_token: {
    idle_days: 30,
    session_days: 90,
    grace_seconds: 30,
  },
  recent_authentication: {
    seconds: 900,
  },
  reset: {
    minutes: 15,
    mails_per_hour: 5,
  },
  email: {
    link_hours: 24,
    code_minutes: 15,
    undo_days: 7,
    cooldown_seconds: 60,
    sends_per_hour: 5,
    sends_per_day: 10,
    wrong_per_window: 5,
    wrong_per_day: 10,
  },
  recovery: {
    hold_hours: 72,
  },
  deletion: {
    grace_days: 30,
  },
  export: {
    per_hour: 5,
    sessions: 500,
    events: 10000,
  },
  sessions: {
    max: 50,
  },
  otp: {
    digits: 6,
    confirm_minutes: 5,
    use_minutes: 10,
    wrong_per_window: 5,
    wrong_minutes: 10,
    wrong_per_day: 10,
    own_wrong_per_day: 5,
    shared_wrong_per_day: 10,
    wrong_per_number_per_day: 50,
    cooldown_seconds: [60, 120, 300],
    sends_per_hour: 5,
    sends_per_day: 10,
    own_sends_per_day: 2,
    shared_sends_per_day: 8,
    networks_per_day: 8,
    sends_per_number_per_day: 24,
  },
  login: {
    failures_per_account: 10,
    account_minutes: 15,
    failures_per_address: 30,
    failures_per_56: 60,
    failures_per_48: 120,
    address_minutes: 5,
    failures_per_account_per_day: 100,
    known_network_days: 30,
  },
  register: {
    taken_per_address: 60,
    taken_minutes: 15,
    per_hour: 300,
  },
  tokens: {
    refused_per_minute: 600,
  },
  check_phone: {
    per_minute: 10,
    per_hour: 30,
  },
  sms: {
    block_digits: 3,
    per_block_per_hour: 36,
    per_block_and_network_per_hour: 5,
    notices_per_day: 3,
    notices_percent: 10,
    message_days: 30,
    wrong_signatures_per_minute: 60,
    receipts_max: 500,
  },
  confirm_phone: {
    wrong_per_address: 60,
    address_minutes: 5,
  },
  body: {
    json_kilobytes: 64,
    form_kilobytes: 64,
    file_form_megabytes: 40,
    files: 7,
  },
  files: {
    image_megabytes: 5,
    document_megabytes: 10,
    image_megapixels: 25,
    image_held_megabytes: 75,
    image_side_max: 10000,
    link_minutes: 15,
  },
  queues: {
    hashes_per_owner: 40,
    hashes: 100,
    images_per_account: 40,
    images: 100,
    reads_per_administrator: 20,
    reads: 40,
    retry_seconds: 5,
  },
  pages: {
    default: 20,
    max: 100,
  },
  events: {
    retry_seconds: [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400],
    response_seconds: 15,
    keep_days: 30,
    replay_max: 10000,
  },
  administration: {
    reason_characters: 500,
    duplicates_max: 10,
  },
  errors: {
    fields: 100,
  },
  headers: {
    max: 100,
  },
  connections: {
    per_network: 256,
    max: 10000,
    head_seconds: 10,
    request_seconds: 30,
    idle_seconds: 65,
    unread_seconds: 30,
    kilobytes_per_second_min: 16,
  },
  keys: {
    max: 20,
  },
  password: {
    characters_min: 8,
    characters_max: 256,
    bcrypt_bytes: 72,
  },
  age: {
    years_min: 18,
    years_max: 120,
  },
} as const
