import type { FastifyInstance } from 'fastify'

/** Android apps with the fingerprint of their signing certificate, and iOS apps with the id of their team */
export type PasskeyApps = Readonly<{
  android: readonly Readonly<{ name: string; fingerprint: string }>[]
  ios: readonly string[]
}>

const CACHE = 'public, max-age=3600'

/**
 * Serves the files with which a domain names the apps that use its passkeys: Digital Asset Links for Android, and associated
 * domains for iOS. Without apps of a platform, its file does not exist.
 */
export function serveAppAssociations(server: FastifyInstance, { android, ios }: PasskeyApps): void {
  const serveFile = (name: string, content: unknown): void => {
    const body = JSON.stringify(content)
    server.get(`/.well-known/${name}`, (_request, reply) =>
      reply.type('application/json').header('cache-control', CACHE).send(body),
    )
  }
  if (android.length > 0) serveFile('assetlinks.json', android.map(toAssetLink))
  if (ios.length > 0) serveFile('apple-app-site-association', { webcredentials: { apps: ios } })
}

/** Android uses passkeys of a domain only with both relations. */
function toAssetLink({ name, fingerprint }: PasskeyApps['android'][number]): object {
  return {
    relation: ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds'],
    target: { namespace: 'android_app', package_name: name, sha256_cert_fingerprints: [fingerprint] },
  }
}
