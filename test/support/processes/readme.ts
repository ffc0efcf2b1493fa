// Runs the code examples of README.md and docs/.
import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** Returns the source of the first example in a language that contains a text. */
export function exampleIn(path: string, language: string, containing: string): string {
  const examples = readFileSync(path, 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))
  const found = [...examples].map(([, source = '']) => source).find((source) => source.includes(containing))
  if (found === undefined) throw new Error(`${path} has no example with ${containing}`)
  return found
}

/** Returns the exports of a TypeScript example. */
export async function exportsOf(source: string): Promise<Record<string, unknown>> {
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  const { outputText } = ts.transpileModule(source, { compilerOptions: options })
  return (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as Record<string, unknown>
}
