import { bodyOf } from '@tawthiq/sdk/forms'
import { isSupported } from '@tawthiq/sdk/passkeys'
import { ReauthenticationProvider, useOperation, useSession, type PasswordPrompt } from '@tawthiq/sdk/react'
import { useSyncExternalStore, type ComponentType } from 'react'
import { passkeys, tawthiq } from './client.ts'
import { Account } from './pages/account.tsx'
import { Factors } from './pages/factors.tsx'
import { Forgot, NewPassword } from './pages/forgot.tsx'
import { Login } from './pages/login.tsx'
import { Profile } from './pages/profile.tsx'
import { Register } from './pages/register.tsx'
import { Sessions } from './pages/sessions.tsx'
import { texts } from './texts.ts'
import { Form, Input, SecondFactor } from './ui.tsx'

const PAGES = new Map<string, ComponentType>([
  ['profile', Profile],
  ['account', Account],
  ['factors', Factors],
  ['sessions', Sessions],
])
const PUBLIC_PAGES = new Map<string, ComponentType>([
  ['register', Register],
  ['forgot', Forgot],
])

export function App() {
  const { pending, session } = useSession(tawthiq)
  const page = useHash()
  if (pending) return <p role="status">{texts.loading}</p>
  const link = new URLSearchParams(page).get('token') // of the message that resets the password
  const Page = session ? (PAGES.get(page) ?? Profile) : (PUBLIC_PAGES.get(page) ?? Login)
  return (
    <ReauthenticationProvider client={tawthiq} passkeys={passkeys} prompt={(prompt) => <Password {...prompt} />}>
      {session && <Navigation email={session.user.email} />}
      <main>{link ? <NewPassword by={{ by: 'email', token: link }} /> : <Page />}</main>
    </ReauthenticationProvider>
  )
}

function Navigation({ email }: { email: string }) {
  const logout = useOperation(tawthiq.auth.logout)
  return (
    <nav>
      <bdi id="user">{email}</bdi> <a href="#profile">{texts.profile}</a> <a href="#account">{texts.account}</a>{' '}
      <a href="#factors">{texts.factors}</a> <a href="#sessions">{texts.sessions}</a>{' '}
      <button id="logout" onClick={() => logout.run()}>
        {texts.logout}
      </button>
    </nav>
  )
}

/** Asks for the password or a passkey before a change that needs it. */
function Password({ confirm, confirmWithPasskey, cancel, ...state }: PasswordPrompt) {
  return (
    <dialog open>
      <h2>{texts.reauthenticate}</h2>
      <Form
        state={state}
        action={texts.confirm}
        onSubmit={(event) => {
          const { password, code } = bodyOf<{ password: string; code?: string }>(event)
          void confirm(password, code)
        }}
      >
        <Input name="password" type="password" autoComplete="current-password" errors={state.fields.password} />
        <SecondFactor error={state.error} errors={state.fields.code} />
        {isSupported() && (
          <button type="button" onClick={confirmWithPasskey}>
            {texts.use_passkey}
          </button>
        )}
        <button type="button" onClick={cancel}>
          {texts.cancel}
        </button>
      </Form>
    </dialog>
  )
}

function useHash(): string {
  const subscribe = (listener: () => void) => {
    addEventListener('hashchange', listener)
    return () => removeEventListener('hashchange', listener)
  }
  return useSyncExternalStore(subscribe, () => location.hash.slice(1))
}
