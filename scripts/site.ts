// Builds the documentation site. Without arguments it writes dist/site/, which the service serves:
//   node dist/scripts/site.js [--fast]
// With a directory it writes files for any web server. --server is the URL of the service that the pages call:
//   npm run docs -- <directory> [--server https://api.example.com]
import { parseArgs } from 'node:util'
import { buildSite, exportSite, SITE_DIRECTORY } from './site/build.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { fast: { type: 'boolean', default: false }, server: { type: 'string' } },
})
const [directory] = positionals
if (directory === undefined) {
  await buildSite(SITE_DIRECTORY, { isFast: values.fast })
} else {
  const count = await exportSite(directory, values.server)
  console.log(`Written: ${count} files in ${directory}. Start at docs/index.html.`)
}
