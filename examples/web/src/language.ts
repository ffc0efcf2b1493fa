import type { Language } from '@tawthiq/sdk'
import { ar } from './texts/ar.ts'
import { en } from './texts/en.ts'

export type Text = keyof typeof ar

const asked = new URLSearchParams(location.search).get('lang') ?? navigator.language

let current: Language = asked.startsWith('en') ? 'en' : 'ar'

export function language(): Language {
  return current
}

export function switchLanguage(): void {
  current = current === 'ar' ? 'en' : 'ar'
  applyLanguage()
}

/** Sets the direction and the title of the page. */
export function applyLanguage(): void {
  document.documentElement.lang = current
  document.documentElement.dir = current === 'ar' ? 'rtl' : 'ltr'
  document.title = text('product')
}

export function text(name: Text): string {
  return { ar, en }[current][name]
}

/** Returns a date in the language and the calendar of the page, with Latin digits. */
export function formatDate(value: string): string {
  const locale = current === 'ar' ? 'ar-SA-u-ca-gregory-nu-latn' : 'en-GB'
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(value))
}
