import { parseSession, type Store } from './stores.ts'

/** `@react-native-async-storage/async-storage`, and other storages with these functions */
export type AsyncStorage = {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
}

/** `expo-secure-store`, which encrypts with a key of the Keychain or Keystore */
export type SecureStorage = {
  getItemAsync(key: string): Promise<string | null>
  setItemAsync(key: string, value: string): Promise<void>
  deleteItemAsync(key: string): Promise<void>
}

/** Stores the session in a storage of React Native. */
export function nativeStore(storage: AsyncStorage | SecureStorage, key = 'tawthiq'): Store {
  const { get, set, remove } = 'getItemAsync' in storage ? ofSecure(storage) : ofAsync(storage)
  return {
    get: async () => parseSession(await get(key)),
    set: (session) => (session ? set(key, JSON.stringify(session)) : remove(key)),
  }
}

type Items = {
  get(key: string): Promise<string | null>
  set(key: string, value: string): Promise<void>
  remove(key: string): Promise<void>
}

function ofSecure(storage: SecureStorage): Items {
  return {
    get: (key) => storage.getItemAsync(key),
    set: (key, value) => storage.setItemAsync(key, value),
    remove: (key) => storage.deleteItemAsync(key),
  }
}

function ofAsync(storage: AsyncStorage): Items {
  return {
    get: (key) => storage.getItem(key),
    set: (key, value) => storage.setItem(key, value),
    remove: (key) => storage.removeItem(key),
  }
}
