import type { LocalErrorCode } from './errors.ts'
import type { Language } from './options.ts'

/** Why there is no response, or none of the service */
export type LocalCause = Exclude<LocalErrorCode, 'unknown'> | 'unexpected'

/** Messages for errors without a response of the service */
const MESSAGES: Record<Language, Record<LocalCause, string>> = {
  ar: {
    network: 'تعذّر الاتصال بالخدمة. تحقق من اتصالك.',
    timeout: 'استغرق الطلب وقتاً طويلاً. حاول مرة أخرى.',
    aborted: 'أُلغي الطلب.',
    unexpected: 'حدث خطأ غير متوقع. حاول مرة أخرى.',
  },
  en: {
    network: 'The service cannot be reached. Check your connection.',
    timeout: 'The request took too long. Try again.',
    aborted: 'The request was cancelled.',
    unexpected: 'An unexpected error occurred. Try again.',
  },
}

export function localMessage(code: LocalCause, language: Language = 'ar'): string {
  return MESSAGES[language][code]
}
