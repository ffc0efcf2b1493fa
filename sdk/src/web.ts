export { webStore, type WebStorage } from './session/web-store.ts'
