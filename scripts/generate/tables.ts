// The parts of docs/ and .env.example that are generated from the code.
import { aboutVariable, VARIABLE_GROUPS, type VariableName } from '../../src/config/environment.ts'
import { secretFileVariable } from '../../src/config/names/secrets.ts'
import { WEB_ADDRESS } from '../../src/config/variable-kinds.ts'
import { COUNTERS, GAUGES, HISTOGRAMS, type Family } from '../../src/lib/metrics.ts'
import { PUBLISHED } from './document/extensions.ts'
import { mapMembers } from './document/openapi.ts'
import { fillSection, markdownTable } from './markdown.ts'
import { renderEffects, type RateLimits } from './rate-limits.ts'

/** Returns each page that has a generated section, with that section filled in. */
export function fillPages(rateLimits: RateLimits): Record<string, string> {
  const sections = {
    'docs/configuration.md': { name: 'configuration', text: configurationTables() },
    'docs/extensions.md': { name: 'extensions', text: extensionsTable() },
    'docs/monitoring.md': { name: 'metrics', text: metricsTables() },
    'docs/security.md': { name: 'rate-limits', text: renderEffects(rateLimits) },
  }
  return mapMembers(sections, ({ name, text }, path) => fillSection(path, name, text))
}

export function renderExampleEnvironment(): string {
  const groups = Object.entries(VARIABLE_GROUPS).map(([title, variables]) => {
    const entries = namesIn(variables).map((name) => {
      const { about, accepts, shown } = aboutVariable(name)
      return `# ${about}\n# Value: ${accepts}.\n# Default: ${shown}.\n# ${name}=\n`
    })
    return `# --- ${title} ---\n\n${entries.join('\n')}`
  })
  return `# Copy this file to .env and set the variables that you need. Variables of the environment take precedence over this file.
# Separate the items of a list with commas. Secrets can be in files: see docs/configuration.md.\n\n${groups.join('\n')}`
}

function configurationTables(): string {
  const tables = Object.entries(VARIABLE_GROUPS).map(
    ([title, variables]) => `## ${title}\n\n${variablesTable(namesIn(variables))}`,
  )
  return tables.join('\n\n')
}

function namesIn(variables: object): VariableName[] {
  return Object.keys(variables) as VariableName[] // a group has no other keys
}

function variablesTable(names: readonly VariableName[]): string {
  const rows = names.map((name) => {
    const { about, accepts, shown } = aboutVariable(name)
    const file = secretFileVariable(name)
    return [`\`${name}\`${file === undefined ? '' : '†'}`, about, shortenValue(accepts), shown === 'none' ? '' : shown]
  })
  return markdownTable(['Variable', 'Description', 'Value', 'Default'], rows)
}

/** Returns a value without what the head of the column or the introduction of the page says. */
function shortenValue(accepts: string): string {
  if (accepts === WEB_ADDRESS) return 'URL'
  return accepts === 'text' ? '' : accepts.replace(/^(?:one of|a whole number from) /, '')
}

function metricsTables(): string {
  const types = { Counters: COUNTERS, Histograms: HISTOGRAMS, Gauges: GAUGES }
  const tables = Object.entries(types).map(([type, families]) => {
    const rows = Object.entries<Family>(families).map(([name, { help, labels }]) => {
      return [`\`${name}\``, labels.map((label) => `\`${label}\``).join(', '), help]
    })
    return `### ${type}\n\n${markdownTable(['Metric', 'Labels', 'Meaning'], rows)}`
  })
  return tables.join('\n\n')
}

function extensionsTable(): string {
  const rows = Object.entries(PUBLISHED).flatMap(([on, meanings]) =>
    Object.entries(meanings).map(([name, meaning]) => [`\`${name}\``, on, meaning]),
  )
  return markdownTable(['Extension', 'On', 'Meaning'], rows)
}
