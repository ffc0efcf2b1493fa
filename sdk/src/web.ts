export { readLink, type EmailLink } from './email-link.ts'
export { webStore, type WebStorage } from './session/web-store.ts'
export { saveDownload } from './save.ts'
