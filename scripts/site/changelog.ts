// The page of the changelog, and its feed (Atom, RFC 4287).
import { escape, newMarkdown } from './code.ts'
import { fixedFile, linkFrom, type SiteFile } from './files.ts'
import { CHANGELOG_PATH, FEED_PATH, renderPage, type Assets } from './shell.ts'

/** Identifies the feed, whatever server serves it (RFC 4151). */
const TAG = 'tag:tawthiq.example,2026:changelog'

type Release = { version: string; date: string | undefined; text: string }

/** Returns the page and the feed of CHANGELOG.md. The feed has the releases; what is unreleased is only on the page. */
export function changelogFiles(source: string, assets: Assets): SiteFile[] {
  const markdown = newMarkdown()
  const releases = readReleases(source)
  const sections = releases.map(({ version, date, text }) => {
    const title = date === undefined ? version : `${version} <small><time>${date}</time></small>`
    return `<h2 id="${version.toLowerCase()}">${title}</h2>\n${markdown.render(text)}`
  })
  const items = releases.map(({ version }) => `<li><a href="#${version.toLowerCase()}">${version}</a></li>`)
  const page = renderPage(
    {
      language: 'en',
      path: CHANGELOG_PATH,
      title: 'Changelog',
      summary: 'What has changed in each version of Tawthiq.',
      content: `<p><a href="${linkFrom(CHANGELOG_PATH, FEED_PATH)}">Feed of releases (Atom)</a></p>\n${sections.join('\n')}`,
      menu: { label: 'Versions', html: `<ul>${items.join('')}</ul>` },
    },
    assets,
  )
  return [page, fixedFile(FEED_PATH, renderFeed(releases, markdown))]
}

/** Reads the sections of the file. Links to files of the repository lead nowhere on the site, so only their texts stay. */
function readReleases(source: string): Release[] {
  return source
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [, version = '', date] = /^(\S+)(?: - (\S+))?\n/.exec(section) ?? []
      const text = section.slice(section.indexOf('\n')).replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1')
      return { version, date, text }
    })
}

function renderFeed(releases: readonly Release[], markdown: ReturnType<typeof newMarkdown>): string {
  const dated = releases.filter(({ date }) => date !== undefined)
  const entries = dated.map(
    ({ version, date, text }) => `<entry>
<id>${TAG}/${version}</id>
<title>Tawthiq ${version}</title>
<updated>${date}T00:00:00Z</updated>
<link href="${linkFrom(FEED_PATH, CHANGELOG_PATH)}#${version.toLowerCase()}"/>
<content type="html">${escape(markdown.render(text))}</content>
</entry>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${TAG}</id>
<title>Releases of Tawthiq</title>
<author><name>Tawthiq</name></author>
<updated>${dated[0]?.date ?? '1970-01-01'}T00:00:00Z</updated>
${entries.join('\n')}
</feed>
`
}
