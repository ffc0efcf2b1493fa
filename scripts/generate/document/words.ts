// The texts that the generator itself adds to the document, in each language, and numbers with their units.
import type { Language } from '../../../src/messages/index.ts'

/** In place of a field: the rule applies to accounts that have one. */
export const SECOND_FACTOR = 'second_factor'
/** Longer periods of recent authentication are fixed. */
const HOUR_SECONDS = 3600

const spans = (fields: readonly string[]): string[] => fields.map((field) => `\`${field}\``)

const en = {
  /** The head of a table of errors, in the sources too */
  errorsHead: '| Error | Returned if |\n|---|---|',
  errorsNote: 'The guide Errors lists the errors that all operations share.',
  limitsHead: ['Rate limit', 'Value', 'Error'],
  notLimited: 'The number of requests is not limited.',
  /** A number of requests in a number of units */
  quota: (limit: number, count: number, unit: Unit) =>
    count === 1 ? `${limit} per ${unit}` : `${limit} in ${count} ${unit}s`,
  delays: (seconds: readonly number[]) => seconds.map((each) => `${each} s`).join(', then '),
  recentAuthentication: (fields: readonly string[] | undefined, seconds: number) => {
    const names =
      fields &&
      spans(fields)
        .join(', ')
        .replace(/, (?=[^,]*$)/, ' or ')
    const needs = fields?.includes(SECOND_FACTOR)
      ? 'An account with a second factor requires recent authentication'
      : names
        ? `A new value of ${names} requires recent authentication`
        : 'Requires recent authentication'
    const period =
      seconds < HOUR_SECONDS
        ? `${seconds} seconds, unless the operator configures another period`
        : `${seconds / HOUR_SECONDS} hours`
    return `${needs}: the password, and a second factor if the account has one, proven on this session within the last ${period}.`
  },
  or: ' Or: ',
  errorCode: 'The stable error code.',
  alwaysNull: 'Always null.',
  alwaysTrue: 'Always true.',
  httpStatus: 'The HTTP status.',
  event: 'The event.',
  optionalFileLink:
    'Null deletes the file. The link to the stored file leaves it unchanged. Files are uploaded with `PUT /api/v1/profile`.',
  requiredFileLink:
    'The link to the stored file, or null if there is none. Files are replaced with `PUT /api/v1/profile`.',
  deprecated: (since: string, sunset: string | undefined) =>
    `**Deprecated since ${since}.**${sunset === undefined ? '' : ` It can be removed after ${sunset}.`}`,
  deprecationHeader: 'The time since which the operation is deprecated, as a Unix timestamp after `@` (RFC 9745).',
  sunsetHeader: 'The time after which the operation can be removed (RFC 8594).',
}

const ar: typeof en = {
  errorsHead: '| الخطأ | متى يُعاد |\n|---|---|',
  errorsNote: 'يسرد دليل «الأخطاء» الأخطاء التي تشترك فيها جميع العمليات.',
  limitsHead: ['حد الاستخدام', 'القيمة', 'الخطأ'],
  notLimited: 'عدد الطلبات غير محدود.',
  quota: (limit, count, unit) =>
    count === 1 ? `${limit} في ${ARABIC_UNITS[unit]}` : `${limit} خلال ${renderAmount(count, unit, 'ar')}`,
  delays: (seconds) => seconds.map((each) => renderAmount(each, 'second', 'ar')).join('، ثم '),
  recentAuthentication: (fields, seconds) => {
    const needs = fields?.includes(SECOND_FACTOR)
      ? 'تتطلب العملية من الحساب الذي له وسيلة تحقق إضافية تأكيد الهوية حديثاً'
      : fields
        ? `تتطلب قيمة جديدة لأي من ${spans(fields).join(' و')} تأكيد الهوية حديثاً`
        : 'تتطلب العملية تأكيد الهوية حديثاً'
    const period = renderAmounts([seconds], 'duration', 'ar')
    const isConfigurable = seconds < HOUR_SECONDS ? '، ما لم يضبط المشغّل مدة أخرى' : ''
    return `${needs}: أن تكون كلمة المرور، ووسيلة التحقق الإضافية إن وُجدت، قد أُكّدت في هذه الجلسة خلال آخر ${period}${isConfigurable}.`
  },
  or: ' أو: ',
  errorCode: 'رمز الخطأ الثابت.',
  alwaysNull: 'null دائماً.',
  alwaysTrue: 'true دائماً.',
  httpStatus: 'حالة HTTP.',
  event: 'الحدث.',
  optionalFileLink:
    'القيمة null تحذف الملف. ورابط الملف المحفوظ لا يغيّره. وتُرفع الملفات باستخدام `PUT /api/v1/profile`.',
  requiredFileLink: 'رابط الملف المحفوظ، أو null إذا لم يوجد. وتُستبدل الملفات باستخدام `PUT /api/v1/profile`.',
  deprecated: (since, sunset) =>
    `**مهملة منذ ${since}.**${sunset === undefined ? '' : ` ويمكن إزالتها بعد ${sunset}.`}`,
  deprecationHeader: 'الوقت الذي أُهملت العملية ابتداءً منه، بالثواني بصيغة Unix بعد `@` ‏(RFC 9745).',
  sunsetHeader: 'الوقت الذي يمكن إزالة العملية بعده (RFC 8594).',
}

export const WORDS: Readonly<Record<Language, typeof en>> = { en, ar }

const ARABIC_UNITS: Readonly<Record<Unit, string>> = {
  second: 'الثانية',
  minute: 'الدقيقة',
  hour: 'الساعة',
  day: 'اليوم',
}

const UNITS = ['second', 'minute', 'hour', 'day'] as const
export const SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const
/** Western digits, as in the interface of the service */
const LOCALES: Readonly<Record<Language, string>> = { ar: 'ar-u-nu-latn', en: 'en' }

export type Unit = (typeof UNITS)[number]

/**
 * Returns numbers with the unit of a name such as `minutes`, as a list. With the name `duration`, the numbers are seconds, each
 * in the largest unit that divides it.
 */
export function renderAmounts(values: readonly number[], name: string, language: Language): string {
  const unit = UNITS.find((each) => `${each}s` === name)
  const words = values.map((value) => (unit ? renderAmount(value, unit, language) : durationOf(value, language)))
  return new Intl.ListFormat(LOCALES[language]).format(words)
}

/** Returns a number with its unit, such as `2 minutes`. */
export function renderAmount(value: number, unit: Unit, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language], { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

function durationOf(seconds: number, language: Language): string {
  const unit = UNITS.findLast((each) => seconds % SECONDS[each] === 0) ?? 'second'
  return renderAmount(seconds / SECONDS[unit], unit, language)
}
