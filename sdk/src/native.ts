export { nativeStore, type AsyncStorage, type SecureStorage } from './session/native-store.ts'
export type { NativeFile } from './upload.ts'
