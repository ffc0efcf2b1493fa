import type { GeneratedClient } from './client.ts'
export const KOTLIN: GeneratedClient = {
  name: 'kotlin',
  inCi: true,
  prepare: async () => ({ name: 'kotlin', skipped: 'x' }),
}
