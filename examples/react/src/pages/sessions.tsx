import { useOperation, useQuery } from '@tawthiq/sdk/react'
import { tawthiq } from '../client.ts'
import { texts } from '../texts.ts'

export function Sessions() {
  const { data, message, run: reload } = useQuery(tawthiq.sessions.list)
  const revoke = useOperation(tawthiq.sessions.revoke)
  const others = useOperation(tawthiq.sessions.revokeOthers)
  const problem = message ?? revoke.message ?? others.message
  return (
    <>
      <h1>{texts.sessions}</h1>
      <ul>
        {data?.items.map(({ id, device, address, current }) => (
          <li key={id}>
            {device ?? texts.unknown_device} <bdi>{address}</bdi>{' '}
            {current ? (
              <strong>{texts.this_device}</strong>
            ) : (
              <button disabled={revoke.pending} onClick={() => revoke.run(id).then(reload)}>
                {texts.revoke}
              </button>
            )}
          </li>
        ))}
      </ul>
      {problem && <p role="alert">{problem}</p>}
      <button id="others" disabled={others.pending} onClick={() => others.run().then(reload)}>
        {texts.revoke_others}
      </button>
    </>
  )
}
