// Code that README shows, run as it stands there.
import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** The source of the first example of a language that contains a text. */
export function exampleIn(language: string, containing: string): string {
  const examples = readFileSync('README.md', 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))
  const found = [...examples].map(([, source = '']) => source).find((source) => source.includes(containing))
  if (found === undefined) throw new Error(`README has no example with ${containing}`)
  return found
}

/** What a TypeScript example exports. */
export async function exportsOf(source: string): Promise<Record<string, unknown>> {
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }
  const { outputText } = ts.transpileModule(source, { compilerOptions: options })
  return (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as Record<string, unknown>
}
