import type { GeneratedClient } from './client.ts'
export const PYTHON: GeneratedClient = {
  name: 'python',
  inCi: true,
  prepare: async () => ({ name: 'python', skipped: 'x' }),
}
