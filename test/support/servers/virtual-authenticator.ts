// A virtual authenticator of Chromium (WebAuthn Level 3, section 11).
import type { Page } from 'playwright-core'

/** A platform authenticator that answers without a user, and can back up its passkeys */
const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
  defaultBackupEligibility: true,
  defaultBackupState: false,
} as const

export type Authenticator = {
  credentials(): Promise<{ credentialId: string }[]>
  /** Changes the flags of its first passkey. */
  setProperties(changed: { backupState?: boolean; backupEligibility?: boolean }): Promise<void>
  setVerified(isUserVerified: boolean): Promise<void>
  /** Sets whether it answers without a user. */
  setPresence(enabled: boolean): Promise<void>
}

export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR })
  const credentials = async (): Promise<{ credentialId: string }[]> =>
    (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    credentials,
    async setProperties(changed) {
      const [{ credentialId } = { credentialId: '' }] = await credentials()
      await cdp.send('WebAuthn.setCredentialProperties', { authenticatorId, credentialId, ...changed })
    },
    async setVerified(isUserVerified) {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    async setPresence(enabled) {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
  }
}
