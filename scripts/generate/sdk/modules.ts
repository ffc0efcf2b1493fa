/** The module of the SDK that has an operation. Applications load only the modules that they use. */
export function moduleOf(operationId: string): 'main' | 'admin' | 'passkeys' {
  if (operationId.startsWith('admin')) return 'admin'
  return operationId.includes('Passkey') ? 'passkeys' : 'main'
}
