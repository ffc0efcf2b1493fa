import { parseArguments } from '../src/cli/program.ts'

/** The value of an option that is not given, which also decides its type: undefined for a text, an array for several. */
type Default = number | boolean | undefined | readonly string[]
type Named = readonly [name: string, value: Default]
type Value<Of> = Of extends number
  ? number
  : Of extends boolean
    ? boolean
    : Of extends undefined
      ? Of | string
      : string[]

/**
 * Reads the options of a command. With `--help`, or if one is wrong, it prints how to run the command, and exits.
 *
 * @param command the command, with what it takes beside options: `npm run docs -- [directory]`
 */
export function readOptions<Defaults extends Readonly<Record<string, Default>>>(
  command: string,
  defaults: Defaults,
): { [Name in keyof Defaults]: Value<Defaults[Name]> } & { words: string[] } {
  const named: Named[] = Object.entries({ ...defaults, help: false })
  try {
    const options = Object.fromEntries(named.map(kindOf))
    const { values, positionals: words } = parseArguments({ options, allowPositionals: command.includes('[') })
    if (values['help'] === true) return stop(0)
    const parsed = named.map(([name, value]) => [name, parse(name, values[name] ?? value, value)])
    return { ...(Object.fromEntries(parsed) as { [Name in keyof Defaults]: Value<Defaults[Name]> }), words }
  } catch (error) {
    console.error((error as Error).message)
    return stop(2)
  }

  function stop(code: number): never {
    console.log(`Usage: ${[command, ...named.map(describe)].join(' ')}`)
    process.exit(code)
  }
}

function kindOf([name, value]: Named): [string, { type: 'string' | 'boolean'; multiple: boolean }] {
  return [name, { type: typeof value === 'boolean' ? 'boolean' : 'string', multiple: Array.isArray(value) }]
}

/** @throws Error for a text that is no number, as the value of an option that is one */
function parse(name: string, given: unknown, value: Default): unknown {
  if (typeof value !== 'number') return given
  if (!/^\d+(\.\d+)?$/.test(String(given))) throw new Error(`--${name} takes a number.`)
  return Number(given)
}

function describe([name, value]: Named): string {
  const example = typeof value === 'boolean' ? '' : ` ${typeof value === 'number' ? value : '<text>'}`
  return `[--${name}${example}]${Array.isArray(value) ? '…' : ''}`
}
