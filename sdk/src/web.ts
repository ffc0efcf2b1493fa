export { webStore, type WebStorage } from './session/web-store.ts'
export { saveDownload } from './save.ts'
