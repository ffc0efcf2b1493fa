// Responses of the providers' APIs, as their documentation shows them. Each list has the page beside it.

export type Answer = Readonly<{ status: number; body: Readonly<Record<string, unknown>> }>

/** What a provider can do with a message */
export type Case = 'accepted' | 'rejected' | 'wrong credentials' | 'too many requests' | 'unavailable' | 'server error'

export type Answers = Readonly<Record<Case, Answer>> & {
  readonly 'rejected with a 2xx'?: Answer
  readonly 'not on WhatsApp'?: Answer
}

const answer = (status: number, body: Answer['body'] = {}): Answer => ({ status, body })

const twilioError = (status: number, code: number, message: string): Answer =>
  answer(status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })

/** What messages and calls have in common */
const TWILIO_RESOURCE = {
  account_sid: 'ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  api_version: '2010-04-01',
  direction: 'outbound-api',
  from: '+15557122661',
  to: '+15558675310',
  price: null,
  status: 'queued',
}

/**
 * https://www.twilio.com/docs/messaging/api/message-resource and https://www.twilio.com/docs/usage/twilios-response. A number
 * that is not on WhatsApp can also be reported later, as the status of the message: https://www.twilio.com/docs/api/errors/63024
 */
const twilio: Answers = {
  accepted: answer(201, {
    ...TWILIO_RESOURCE,
    body: 'Hi there',
    date_created: 'Thu, 24 Aug 2023 05:01:45 +0000',
    date_sent: 'Thu, 24 Aug 2023 05:01:45 +0000',
    date_updated: 'Thu, 24 Aug 2023 05:01:45 +0000',
    error_code: null,
    error_message: null,
    num_media: '0',
    num_segments: '1',
    price_unit: null,
    messaging_service_sid: null,
    sid: 'SMaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    uri: '/2010-04-01/Accounts/ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/Messages/SMaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.json',
  }),
  rejected: twilioError(400, 21211, "The 'To' number is not a valid phone number."),
  'wrong credentials': twilioError(401, 20003, 'Authenticate'),
  'too many requests': twilioError(429, 20429, 'Too Many Requests'),
  unavailable: twilioError(503, 20503, 'Service unavailable'),
  'server error': twilioError(500, 20500, 'Internal Server Error'),
  'not on WhatsApp': twilioError(400, 63024, 'Invalid message recipient'),
}

/** https://www.twilio.com/docs/voice/api/call-resource */
const twilioCalls: Answers = {
  ...twilio,
  accepted: answer(201, {
    ...TWILIO_RESOURCE,
    ...{ answered_by: null, caller_name: null, duration: null, start_time: null, end_time: null },
    date_created: 'Tue, 31 Aug 2010 20:36:28 +0000',
    price_unit: 'USD',
    sid: 'CAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    uri: '/2010-04-01/Accounts/ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/Calls/CAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.json',
  }),
  rejected: twilioError(400, 21211, 'The phone number you are attempting to call is not valid.'),
}

/** Failures of which only the status is documented */
const FAILURES = { 'too many requests': answer(429), unavailable: answer(503), 'server error': answer(500) }

const TOO_SHORT = { message: 'Dest num is too short', errorCode: 'ER-04', data: {} }

/** https://docs.unifonic.com/reference/sms-api: it reports failures with 200. */
const unifonic: Answers = {
  ...FAILURES,
  accepted: answer(200, {
    success: true,
    message: '',
    errorCode: 'ER-00',
    data: {
      MessageID: 42000348806924,
      CorrelationID: 'CorrelationID',
      Status: 'Sent',
      NumberOfUnits: 0,
      Cost: 0,
      Balance: 0,
      Recipient: '9660000000000',
      TimeCreated: '2022-09-06 14:06:25.979',
      CurrencyCode: '',
    },
  }),
  rejected: answer(200, { success: false, ...TOO_SHORT }),
  'rejected with a 2xx': answer(200, { success: 'false', ...TOO_SHORT }),
  'wrong credentials': answer(401, { success: false, message: 'Authentication failed', errorCode: 'ER-01', data: {} }),
}

/** https://dev.taqnyat.sa/en/doc/sms/: a number that it rejects is in `rejected` of a 201. */
const taqnyat: Answers = {
  accepted: answer(201, {
    statusCode: 201,
    messageId: 5452899970,
    cost: '0.0800',
    currency: 'SAR',
    totalCount: 1,
    msgLength: 1,
    accepted: '[966500000000,]',
    rejected: '[]',
  }),
  rejected: answer(400, { statusCode: 400, message: 'Bad Request' }),
  'rejected with a 2xx': answer(201, { statusCode: 201, totalCount: 0, accepted: '[]', rejected: '[966500000000,]' }),
  'wrong credentials': answer(401, { statusCode: 401, message: 'Unauthorized' }),
  'too many requests': answer(429, { statusCode: 429, message: 'Too Many Requests' }),
  unavailable: answer(503, { statusCode: 503, message: 'Service Unavailable' }),
  'server error': answer(500, { statusCode: 500, message: 'Internal Server Error' }),
}

/** The provider `webhook`, see docs/sms.md */
const webhook: Answers = {
  ...FAILURES,
  accepted: answer(202),
  rejected: answer(400),
  'wrong credentials': answer(401),
  'not on WhatsApp': answer(422),
}

export const ANSWERS = { twilio, twilioCalls, unifonic, taqnyat, webhook }
export type Api = keyof typeof ANSWERS
