// The collection that Postman makes of the document when it imports it. Its requests are run as Postman runs them.
import { copyFileSync } from 'node:fs'
import { resultOf, type GeneratedClient } from './client.ts'
import { run } from './command.ts'
import { DOCUMENTS, openFolder, versionOf } from './folder.ts'

export const POSTMAN: GeneratedClient = {
  name: 'postman',
  inCi: true,
  async prepare() {
    const folder = await openFolder('postman')
    copyFileSync('clients/postman/walk.mjs', `${folder}/walk.mjs`)
    return {
      async walk(origin) {
        const { output } = await run(process.execPath, ['walk.mjs', DOCUMENTS['3.0'], origin], { cwd: folder })
        return resultOf({ name: 'Postman', version: versionOf('postman'), document: '3.0' }, [], output)
      },
    }
  },
}
