// Resolves the imports of test files, and of tap itself, in a process that runs many files.
const CURRENT = new URL('current-test.mjs', import.meta.url).href
const NO_DOMAIN = new URL('no-domain.mjs', import.meta.url).href

export function resolve(specifier, context, next) {
  if (specifier === 'async-hook-domain') return { url: NO_DOMAIN, shortCircuit: true }
  if (specifier === 'tap' && context.parentURL?.includes('/dist/test/')) return { url: CURRENT, shortCircuit: true }
  return next(specifier, context)
}
