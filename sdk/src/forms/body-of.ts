/** A `submit` event of a browser or of a framework */
export type SubmitEvent = { preventDefault: () => void; currentTarget: unknown }

/** Returns the filled fields of a form as the body of an operation, which validates them, and prevents its submission. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the operation says what it takes
export function bodyOf<Body>(event: SubmitEvent): Body {
  event.preventDefault()
  const form = event.currentTarget as HTMLFormElement // of a `submit` event
  return Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== '')) as Body
}
