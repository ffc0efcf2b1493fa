// How, when and in what requests connections are cut.

export const WAYS = ['RST', 'FIN', 'half-close'] as const

export type Way = (typeof WAYS)[number]

type Body = 'none' | 'JSON' | 'form'

/** The body of the requests to each target */
const BODIES = {
  health: 'none',
  docs: 'none',
  JSON: 'JSON',
  form: 'form',
  'file download': 'none',
  export: 'none',
  'unknown path': 'none',
  receipts: 'JSON',
  'management port': 'none',
} satisfies Record<string, Body>

export type Target = keyof typeof BODIES
export const TARGETS = Object.keys(BODIES) as Target[]

const ANY: readonly Body[] = ['none', 'JSON', 'form']

/** The bodies of the requests that have a phase: one without a body ends with its headers, and only forms have parts. */
const HAVING = {
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
} satisfies Record<string, readonly Body[]>

export type Phase = keyof typeof HAVING
export const PHASES = Object.keys(HAVING) as Phase[]

/** Returns whether requests to a target have a phase. */
export function hasPhase({ phase, target }: Readonly<{ phase: Phase; target: Target }>): boolean {
  const bodies: readonly Body[] = HAVING[phase]
  return bodies.includes(BODIES[target])
}
