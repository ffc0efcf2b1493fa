import { fixedFile, type SiteFile } from './files.ts'
import type { Guide } from './guide-names.ts'

/** Returns `/llms.txt` (llmstxt.org), and the English guides as the Markdown that it lists. */
export function llmsFiles(guides: readonly Guide[]): SiteFile[] {
  const own = guides.filter(({ language }) => language === 'en')
  const pages = own.map((guide) => ({ guide, path: guide.path.replace(/\.html$/, '.md') }))
  const [index] = own
  const lines = pages.slice(1).map(({ guide, path }) => `- [${guide.title}](${path}): ${guide.summary}`)
  const text = `# Tawthiq

> ${index?.summary ?? ''}

## API

- [OpenAPI 3.1 document](/openapi.json): every operation, with schemas, examples and errors
- [OpenAPI 3.0 edition](/openapi-3.0.json): for generators that need it

## Guides

${lines.join('\n')}
`
  return [fixedFile('/llms.txt', text), ...pages.map(({ guide, path }) => fixedFile(path, guide.source))]
}
