// How, when and in what requests connections are cut.

export const WAYS = ['RST', 'FIN', 'half-close'] as const

export const PHASES = [
  'before any byte',
  'in the request line',
  'in the headers',
  'after the headers',
  'in a part',
  'in a file',
  'while the handler runs',
  'in the response headers',
  'in the response body',
  'idle',
  'pipelined',
  'during Expect: 100-continue',
  'in an upgrade',
] as const

export const TARGETS = [
  'health',
  'docs',
  'JSON',
  'form',
  'file download',
  'export',
  'unknown path',
  'receipts',
  'management port',
] as const

export type Way = (typeof WAYS)[number]
export type Phase = (typeof PHASES)[number]
export type Target = (typeof TARGETS)[number]

type Body = 'none' | 'JSON' | 'form'

const BODIES: Readonly<Record<Target, Body>> = {
  health: 'none',
  docs: 'none',
  JSON: 'JSON',
  form: 'form',
  'file download': 'none',
  export: 'none',
  'unknown path': 'none',
  receipts: 'JSON',
  'management port': 'none',
}

const ANY: readonly Body[] = ['none', 'JSON', 'form']

/** The bodies of the requests that have a phase: one without a body ends with its headers, and only forms have parts. */
const HAVING: Readonly<Record<Phase, readonly Body[]>> = {
  'before any byte': ANY,
  'in the request line': ANY,
  'in the headers': ANY,
  'after the headers': ['JSON', 'form'],
  'in a part': ['form'],
  'in a file': ['form'],
  'while the handler runs': ANY,
  'in the response headers': ANY,
  'in the response body': ANY,
  idle: ANY,
  pipelined: ANY,
  'during Expect: 100-continue': ['JSON', 'form'],
  'in an upgrade': ANY,
}

/** Returns whether requests to a target have a phase. */
export function hasPhase({ phase, target }: Readonly<{ phase: Phase; target: Target }>): boolean {
  return HAVING[phase].includes(BODIES[target])
}
