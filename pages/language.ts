import type { Language } from '@tawthiq/sdk'
import { settings } from './settings.ts'
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
  document.title = productName()
}

/** Returns the name of the platform. */
export function productName(): string {
  return settings.names[current]
}

export function text(name: Text): string {
  return { ar, en }[current][name]
}

/** Returns a date in the language and the calendar of the page, with Latin digits. */
export function formatDate(value: string): string {
  const locale = current === 'ar' ? 'ar-SA-u-ca-gregory-nu-latn' : 'en-GB'
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(value))
}

/** Returns the size of a file, such as "1.2 MB". */
export function formatSize(bytes: number): string {
  const unit = bytes < 1e6 ? 'kilobyte' : 'megabyte'
  const options = { style: 'unit', unit, maximumFractionDigits: 1, numberingSystem: 'latn' } as const
  return new Intl.NumberFormat(current, options).format(bytes / (unit === 'kilobyte' ? 1e3 : 1e6))
}
