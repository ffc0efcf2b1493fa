import type { Language } from '../../src/messages/index.ts'

/** The guides in the order of the menu. `index` is the first page of a language. */
export const GUIDES = [
  'index',
  'quick-start',
  'sessions',
  'phone-verification',
  'registration',
  'profile-forms',
  'contact-changes',
  'second-factors',
  'passkeys',
  'lookups',
  'errors',
  'rate-limits',
  'languages',
  'account-pages',
  'sdks',
  'testing',
  'webhooks',
  'versioning',
] as const

export type GuideName = (typeof GUIDES)[number]

export const LANGUAGES: readonly Language[] = ['en', 'ar']

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
