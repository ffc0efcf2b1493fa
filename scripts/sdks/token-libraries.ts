import { cpSync, readdirSync } from 'node:fs'
import { mustRun, run } from './command.ts'
import { openFolder, unpackDebian, versionOf } from './folder.ts'
import { DEBIAN_PYTHON, findGo } from './languages.ts'

type Walk = (variables: Record<string, string>) => Promise<string>

/** A library that verifies access tokens */
export type Library = Readonly<{
  name: string
  language: string
  /** @throws Unavailable if it cannot be installed on this machine */
  prepare(): Promise<{ version: string; walk: Walk }>
}>

const SOURCES = 'clients/tokens'

let opened: Promise<string> | undefined

/** Opens the folder of all libraries, with their walks. */
function open(): Promise<string> {
  opened ??= openFolder('tokens').then((folder) => {
    cpSync(SOURCES, folder, { recursive: true })
    return folder
  })
  return opened
}

function walkedBy(cwd: string, [program = '', ...args]: readonly string[], env: Record<string, string> = {}): Walk {
  return async (variables) => (await run(program, args, { cwd, env: { ...variables, ...env } })).output
}

function javaScript(name: string, file: string, of = name): Library {
  return {
    name,
    language: 'JavaScript',
    async prepare() {
      return { version: versionOf('tokens', of), walk: walkedBy(await open(), [process.execPath, file]) }
    },
  }
}

export const JAVASCRIPT_LIBRARIES: readonly Library[] = [
  javaScript('jose', 'jose.mjs'),
  javaScript('jsonwebtoken', 'jsonwebtoken.mjs'),
  javaScript('jwks-rsa with jsonwebtoken', 'jwks-rsa.mjs', 'jwks-rsa'),
  javaScript('fast-jwt', 'fast-jwt.mjs'),
  javaScript('@fastify/jwt', 'fastify-jwt.mjs', '@fastify/jwt'),
]

const DEBIAN_PACKAGES = [
  ...['jwt', 'authlib', 'jose', 'cryptography', 'cffi-backend', 'ecdsa', 'rsa', 'pyasn1', 'six'].map(
    (name) => `python3-${name}`,
  ),
  'golang-github-golang-jwt-jwt-dev',
  'golang-gopkg-square-go-jose.v2-dev',
  'golang-golang-x-crypto-dev',
]

async function openDebian(): Promise<{ folder: string; root: string }> {
  const folder = await open()
  return { folder, root: await unpackDebian(folder, DEBIAN_PACKAGES) }
}

/** Returns the version of a package of Debian, without what Debian has added to it. */
function debianVersion(root: string, name: string): string {
  const file = readdirSync(root).find((each) => each.startsWith(`${name}_`)) ?? ''
  return /_(?:\d+%3a)?([\d.]+)/.exec(file)?.[1] ?? ''
}

function python(name: string, file: string, of: string): Library {
  return {
    name,
    language: 'Python',
    async prepare() {
      const { folder, root } = await openDebian()
      const env = { PYTHONPATH: `${root}/usr/lib/python3/dist-packages` }
      return { version: debianVersion(root, of), walk: walkedBy(folder, [DEBIAN_PYTHON, file], env) }
    },
  }
}

/** Builds with the sources of Debian, whose folder is a workspace of Go without modules. */
function go(name: string, folderName: string, of: string): Library {
  return {
    name,
    language: 'Go',
    async prepare() {
      const { folder, root } = await openDebian()
      const compiler = await findGo(await openFolder('go'))
      const workspace = `${root}/usr/share/gocode`
      cpSync(`${SOURCES}/go`, `${workspace}/src/tokens`, { recursive: true })
      const env = { ...compiler.env, GO111MODULE: 'off', GOPATH: workspace, GOCACHE: `${folder}/cache`, GOFLAGS: '' }
      const program = `${folder}/${folderName}.walk`
      await mustRun(compiler.go, ['build', '-o', program, `tokens/${folderName}`], { cwd: folder, env })
      return { version: debianVersion(root, of), walk: walkedBy(folder, [program]) }
    },
  }
}

export const DEBIAN_LIBRARIES: readonly Library[] = [
  python('PyJWT', 'py_jwt.py', 'python3-jwt'),
  python('Authlib', 'authlib_jose.py', 'python3-authlib'),
  python('python-jose', 'python_jose.py', 'python3-jose'),
  go('golang-jwt', 'golang-jwt', 'golang-github-golang-jwt-jwt-dev'),
  go('go-jose', 'go-jose', 'golang-gopkg-square-go-jose.v2-dev'),
]
