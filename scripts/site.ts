// Builds the documentation site. Without arguments it writes dist/site/, which the service serves:
//   node dist/scripts/site.js
// With a directory it writes files for any web server. --server is the URL of the service that the pages call:
//   npm run docs -- <directory> [--server https://api.example.com]
import { readOptions } from './options.ts'
import { buildSite, exportSite, SITE_DIRECTORY } from './site/build.ts'

const { server, words } = readOptions('npm run docs -- [directory]', { server: undefined })
const [directory] = words
if (directory === undefined) {
  await buildSite(SITE_DIRECTORY)
} else {
  const count = await exportSite(directory, server)
  console.log(`Written: ${count} files in ${directory}. Start at docs/index.html.`)
}
