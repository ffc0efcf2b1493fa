import type { Keys } from './index.ts'

/** The keys of the running service, which can be replaced. */
export type KeyRing = {
  /** Builds a part from the keys, and again when they are replaced. The result has the members of the last one. */
  use<Part extends object>(build: (keys: Keys) => Part | Promise<Part>): Promise<Part>
  /** Builds all parts from other keys, and then replaces them together. If one cannot be built, nothing changes. */
  replace(keys: Keys): Promise<void>
}

export function keyRing(first: Keys): KeyRing {
  /** Each builds a part from other keys, and returns a function that replaces the part. */
  const rebuilds: ((keys: Keys) => Promise<() => void>)[] = []
  let current = first
  return {
    async use<Part extends object>(build: (keys: Keys) => Part | Promise<Part>): Promise<Part> {
      let part = await build(current)
      rebuilds.push(async (keys) => {
        const next = await build(keys)
        return () => (part = next)
      })
      const names = Object.keys(part) as (keyof Part)[]
      const members = names.map((name) => [name, { enumerable: true, get: () => part[name] }] as const)
      return Object.defineProperties({}, Object.fromEntries(members)) as Part // has the members of the part
    },
    async replace(keys) {
      const replacements = await Promise.all(rebuilds.map((rebuild) => rebuild(keys)))
      for (const replacePart of replacements) replacePart()
      current = keys
    },
  }
}
