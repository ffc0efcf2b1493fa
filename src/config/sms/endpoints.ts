import type { SmsConfig } from './index.ts'

/** Returns whether messages to any country are listed at /dev/outbox instead of being sent. */
export function usesSmsOutbox({ providers, countryProviders }: SmsConfig): boolean {
  return [providers, ...countryProviders.values()].flat().some(({ kind }) => kind === 'log')
}

/** Lists the names and addresses of all providers, each once. */
export function listSmsEndpoints({ providers, countryProviders }: SmsConfig): readonly { name: string; url: string }[] {
  const all = [providers, ...countryProviders.values()].flat()
  const urls = all.flatMap((provider): [string, string][] => {
    if (provider.kind === 'log') return []
    return provider.kind === 'webhook' ? [[provider.name, provider.url]] : [[provider.kind, provider.apiUrl]]
  })
  return [...new Map(urls)].map(([name, url]) => ({ name, url }))
}
