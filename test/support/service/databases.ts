// Databases for tests on the server of DATABASE_URL, each of which is a copy of a template. With TEST_ROLE=dml, services
// connect as a role that cannot change tables, see docs/operate.md.
import type { DatabaseServer } from '../../../src/database/connection/index.ts'
import { openDatabase } from '../../../src/database/index.ts'
import { randomUUID } from 'node:crypto'
import { createRoles, onDatabase, runStatements } from './roles.ts'

const SERVER = process.env['DATABASE_URL']
/** With a pooler in DATABASE_URL: the server behind it, which creates databases */
const DIRECT = process.env['DATABASE_DIRECT_URL']
const IS_POOLED = process.env['DATABASE_POOLER'] === 'transaction'
/** The template database of a suite run. Without one, test files start with empty databases. */
const TEMPLATE = process.env['TEST_TEMPLATE']
/** With TEST_ROLE=dml: the owner of all tables, and the role of services */
const OWNER = process.env['TEST_OWNER_ROLE']
const APP = process.env['TEST_APP_ROLE']
const IS_DML = process.env['TEST_ROLE'] === 'dml'

export type OwnDatabase = {
  /** Undefined for an embedded database */
  url: string | undefined
  /** The same without a pooler, as a user who may change tables */
  directUrl: string | undefined
  /** The variables of a service on this database, for a process of its own */
  environment: Readonly<Record<string, string>>
  drop: () => Promise<void>
}

/** Returns how to open a database of this server, through the pooler if there is one. */
export function serverTarget(url: string, connectionsMax = 10): DatabaseServer {
  return { url, connectionsMax, ...(IS_POOLED && { pooler: 'transaction', directUrl: onDirect(url) }) }
}

/** Returns the URL of the same database without the pooler. */
function onDirect(url: string): string {
  const direct = new URL(DIRECT ?? url)
  direct.pathname = new URL(url).pathname
  return direct.toString()
}

/** Creates a database with all tables and lookups. Without a server, `url` is undefined and the database is embedded. */
export async function ownDatabase(): Promise<OwnDatabase> {
  return createDatabase(TEMPLATE)
}

/** Creates a database without tables on the server. */
export async function emptyOwnDatabase(): Promise<OwnDatabase> {
  return createDatabase(undefined)
}

/** Copies a database of the server that has no user at the moment, as `CREATE DATABASE … TEMPLATE` does. */
export async function copyOwnDatabase(directUrl: string): Promise<OwnDatabase> {
  const name = new URL(directUrl).pathname.slice(1)
  const disconnect = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`
  await runStatements(server(), [disconnect])
  return createDatabase(name)
}

export type Template = {
  /** The variables for the processes of the suite */
  environment: Readonly<Record<string, string>>
  drop: () => Promise<void>
}

/** Creates the template database of a suite run on the server. */
export async function makeTemplate(): Promise<Template> {
  if (IS_DML) return makeTemplateWithRoles()
  const { url = '', drop } = await createDatabase(undefined)
  await migrate(onDirect(url))
  return { environment: { TEST_TEMPLATE: new URL(url).pathname.slice(1) }, drop }
}

async function makeTemplateWithRoles(): Promise<Template> {
  if (IS_POOLED) throw new Error('TEST_ROLE=dml needs a server without a pooler, which would need the passwords')
  const name = newName()
  const { owner, app, drop } = await createRoles(server(), name)
  await migrate(onDatabase(server(), name, owner))
  return { environment: { TEST_TEMPLATE: name, TEST_OWNER_ROLE: owner, TEST_APP_ROLE: app }, drop }
}

async function migrate(url: string): Promise<void> {
  await (await openDatabase({ url, connectionsMax: 1 })).close()
}

async function createDatabase(template: string | undefined): Promise<OwnDatabase> {
  if (SERVER === undefined)
    return {
      url: undefined,
      directUrl: undefined,
      environment: { NODE_ENV: 'development' },
      drop: async () => undefined,
    }
  const name = newName()
  const [owner, app] = template === undefined ? [] : [OWNER, APP]
  const options = `${owner === undefined ? '' : ` OWNER ${owner}`}${template === undefined ? '' : ` TEMPLATE ${template}`}`
  await runStatements(server(), [`CREATE DATABASE ${name}${options}`])
  const url = onDatabase(SERVER, name, app)
  const directUrl = onDatabase(server(), name, owner)
  return {
    url,
    directUrl,
    environment: {
      NODE_ENV: 'development',
      DATABASE_URL: url,
      ...(IS_POOLED && { DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: directUrl }),
    },
    drop: () => runStatements(server(), [`DROP DATABASE ${name} WITH (FORCE)`]),
  }
}

function newName(): string {
  return `tawthiq_test_${randomUUID().replaceAll('-', '')}`
}

/** Returns the URL of the server that creates databases. */
function server(): string {
  return DIRECT ?? SERVER ?? ''
}
