// The hooks of @tawthiq/sdk/react on a server. `npm run test:browser -w sdk` tests them in a browser.
import { createRequire } from 'node:module'
import t from 'tap'
import { createTawthiq } from '@tawthiq/sdk'
import { useOperation, useSession } from '@tawthiq/sdk/react'
import { webStore } from '@tawthiq/sdk/web'

const require = createRequire(new URL('../../../sdk/package.json', import.meta.url))
const { createElement } = require('react') as { createElement(type: unknown): unknown }
const { renderToString } = require('react-dom/server') as { renderToString(element: unknown): string }

const tawthiq = createTawthiq({ url: 'http://localhost:3000', store: webStore() })

void t.test('components render on a server, without a session', (t) => {
  const App = (): string => {
    const { pending, session } = useSession(tawthiq)
    const { data, error, fields } = useOperation(tawthiq.profile.patch)
    return JSON.stringify({ pending, session, data, error, fields }).replaceAll('"', '')
  }
  t.equal(renderToString(createElement(App)), '{pending:true,fields:{}}')
  t.end()
})

/** Not called: the compiler checks it. */
export function checkTypes(): unknown[] {
  const { run, error, fields } = useOperation(tawthiq.auth.login)
  return [
    run({ email: 'sara@example.org', password: 'x' }),
    fields.email,
    // @ts-expect-error -- misspelt
    error?.code === 'credentials_wrnog',
    // @ts-expect-error -- a code of another operation
    error?.code === 'idempotency_in_progress',
    // @ts-expect-error -- no field of this form
    fields.emial,
    // @ts-expect-error -- a field is missing
    run({ email: 'sara@example.org' }),
  ]
}
