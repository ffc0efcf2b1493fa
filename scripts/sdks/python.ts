import { copyFileSync, existsSync } from 'node:fs'
import { stepsIn, type GeneratedClient, type Prepared } from './client.ts'
import { run } from './command.ts'
import { unpackDebian } from './debian.ts'
import { openFolder } from './folder.ts'
import { findJavaProblem, generateWithJava, OPENAPI_GENERATOR_VERSION } from './openapi-generator.ts'

const NAME = 'Python'
const PACKAGES = ['python3-urllib3', 'python3-pydantic', 'python3-dateutil', 'python3-typing-extensions', 'python3-six']
/** The interpreter that the packages of Debian are built for */
const DEBIAN_PYTHON = '/usr/bin/python3'

export const PYTHON: GeneratedClient = { name: 'python', inCi: true, prepare }

async function prepare(): Promise<Prepared> {
  const problem = await findJavaProblem()
  if (problem) return { name: NAME, skipped: problem }
  if (!existsSync(DEBIAN_PYTHON)) return { name: NAME, skipped: `there is no ${DEBIAN_PYTHON}` }
  const folder = await openFolder('python')
  const packages = await unpackDebian(folder, PACKAGES)
  if ('problem' in packages) return { name: NAME, skipped: packages.problem }
  await generateWithJava(folder, 'python', ['packageName=tawthiq'])
  copyFileSync('clients/python/walk.py', `${folder}/walk.py`)

  const env = { PYTHONPATH: `${folder}/generated:${packages.root}/usr/lib/python3/dist-packages` }
  const compiled = await run(DEBIAN_PYTHON, ['-m', 'compileall', '-q', 'generated/tawthiq'], { cwd: folder, env })
  const errors = compiled.output.split('\n').filter((line) => line.startsWith('***'))
  return {
    name: NAME,
    async walk(origin) {
      const { output } = await run(DEBIAN_PYTHON, ['walk.py', origin], { cwd: folder, env })
      const result = { name: NAME, version: OPENAPI_GENERATOR_VERSION, document: '3.0', errors: errors.length } as const
      return { ...result, works: stepsIn(output), problems: [...errors, output].join('\n') }
    },
  }
}
