import type { Language } from '../../src/messages/index.ts'

/** The guides by group, in the order of the menu. `index` is the first page of a language. */
export const GROUPS = [
  { en: 'Start', ar: 'البداية', guides: ['index', 'quick-start', 'account-pages', 'sdks', 'testing'] },
  { en: 'Accounts', ar: 'الحساب', guides: ['phone-verification', 'registration', 'contact-changes'] },
  { en: 'Login', ar: 'تسجيل الدخول', guides: ['sessions', 'second-factors', 'passkeys'] },
  { en: 'Profile', ar: 'الملف الشخصي', guides: ['profile-forms', 'lookups'] },
  { en: 'Requests', ar: 'الطلبات', guides: ['errors', 'rate-limits', 'languages', 'webhooks', 'versioning'] },
] as const

export type GuideName = (typeof GROUPS)[number]['guides'][number]

export const GUIDES: readonly GuideName[] = GROUPS.flatMap(({ guides }) => guides)

export const LANGUAGES: readonly Language[] = ['en', 'ar']
export const OTHER: Readonly<Record<Language, Language>> = { en: 'ar', ar: 'en' }

export type Guide = {
  name: GuideName
  language: Language
  path: string
  title: string
  /** The first paragraph, without markup */
  summary: string
  /** The second-level headings with their anchors */
  headings: { id: string; text: string }[]
  html: string
  /** The Markdown, with numbers and tables filled in */
  source: string
}

export function guidePath(language: Language, name: GuideName): string {
  return name === 'index' ? `/docs/${language}/index.html` : `/docs/${language}/${name}/index.html`
}
