import { fastify } from 'fastify'
import { listRoutes } from '../generate/document/openapi.ts'
import { fixedFile, hashedFile, linkFrom, readAsset, type SiteFile } from './files.ts'
import type { Guide } from './guide-names.ts'
import { ARABIC_REFERENCE_PATH, REFERENCE_PATH, TEXT_REFERENCE_PATH, type Assets } from './shell.ts'
import { escape } from './code.ts'
import type { PublishedDocument } from './text-reference.ts'

const FOLDER = '/docs/reference'

/** Returns the page of the reference with its script, its style and the document that it shows. */
export async function referenceFiles(
  document: PublishedDocument,
  guides: readonly Guide[],
  { icon }: Assets,
  server?: string,
): Promise<SiteFile[]> {
  const shown = withGuides(document, guides, server)
  const openapi = hashedFile(`${FOLDER}/openapi.json`, JSON.stringify(shown))
  const scalar = hashedFile(`${FOLDER}/scalar.js`, await readScalar())
  const style = hashedFile(`${FOLDER}/reference.css`, readAsset('reference.css'))
  const script = hashedFile(`${FOLDER}/reference.js`, readAsset('reference.js'))
  const link = ({ path }: { path: string }): string => linkFrom(REFERENCE_PATH, path)
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>API reference · Tawthiq</title>
<link rel="icon" href="${link({ path: icon })}">
<link rel="stylesheet" href="${link(style)}">
<link rel="preload" as="fetch" href="${link(openapi)}" crossorigin id="openapi">
<script src="${link(scalar)}" defer></script>
<script src="${link(script)}" defer></script>
</head>
<body>
<main id="outline">
${renderOutline(shown)}
</main>
<div id="reference"></div>
</body>
</html>
`
  return [openapi, scalar, style, script, fixedFile(REFERENCE_PATH, page)]
}

/** Returns the document with a tag for each English guide, so that the search of the reference finds them. */
function withGuides(document: PublishedDocument, guides: readonly Guide[], server?: string): PublishedDocument {
  const own = guides.filter(({ language, name }) => language === 'en' && name !== 'index')
  const tags = own.map((guide) => ({
    name: `Guide: ${guide.title}`,
    'x-displayName': guide.title,
    description: describeGuide(guide),
  }))
  const { info, 'x-tagGroups': groups } = document
  return {
    ...document,
    info: { ...info, description: info.description.replaceAll('](/docs/', '](../') },
    ...(server !== undefined && { servers: [{ url: server }] }),
    tags: [...document.tags, ...tags],
    'x-tagGroups': [...groups, { name: 'Step-by-step guides', tags: tags.map(({ name }) => name) }],
  }
}

function describeGuide({ path, title, summary, headings }: Guide): string {
  const link = linkFrom(REFERENCE_PATH, path)
  const topics = headings.map(({ id, text }) => `[${text}](${link}#${id})`).join(' · ')
  return `${summary}\n\n**[Read the guide: ${title}](${link})**\n\n${topics}`
}

/** Renders what the page shows until its script has loaded, or without scripts: all operations by tag. */
function renderOutline(document: PublishedDocument): string {
  const { info, 'x-tagGroups': groups } = document
  const text = linkFrom(REFERENCE_PATH, TEXT_REFERENCE_PATH)
  const arabic = linkFrom(REFERENCE_PATH, ARABIC_REFERENCE_PATH)
  const operations = listRoutes(document)
  const sections = groups
    .flatMap(({ tags }) => tags)
    .flatMap((name) => {
      const rows = operations
        .filter(({ operation }) => operation.tags?.[0] === name)
        .map(
          ({ path, method, operation }) =>
            `<li><code>${method.toUpperCase()} ${escape(path)}</code> <a href="${text}#${operation.operationId}">${escape(operation.summary)}</a></li>`,
        )
      return rows.length > 0 ? [`<h2>${escape(name)}</h2><ul>${rows.join('')}</ul>`] : []
    })
  return `<h1>${escape(info.title)} API reference</h1>
<p>${escape(info.summary)} Read the <a href="../en/">guides</a> (<a href="../ar/" lang="ar">العربية</a>), <a href="${text}">the reference without scripts</a> (<a href="${arabic}" lang="ar" hreflang="ar">بالعربية</a>), or <a href="../../openapi.json">the OpenAPI document</a>.</p>
${sections.join('\n')}`
}

/** Returns the script of the package, which publishes it through its plugin. */
async function readScalar(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const server = fastify()
  await server.register(plugin, { routePrefix: FOLDER, configuration: { url: '/openapi.json' } })
  const { statusCode, body } = await server.inject(`${FOLDER}/js/scalar.js`)
  await server.close()
  if (statusCode !== 200) throw new Error(`the script of the reference has the status ${statusCode}`)
  return body
}
