/**
 * The problem that a check of a dependency found, as one sentence for the operator. `isFatal` is true if the configuration is
 * wrong, such as a password, and false if the dependency may only be down.
 */
export type Finding = Readonly<{ isFatal: boolean; text: string }>

export function wrong(text: string): Finding {
  return { isFatal: true, text }
}

export function down(text: string): Finding {
  return { isFatal: false, text }
}
