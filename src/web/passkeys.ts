import type { PasskeyDraft, PasskeySignIn } from '../areas/auth/passkey-model.ts'

/** True where the browser can create and use passkeys: over HTTPS or on localhost, at a host name. */
export const canUsePasskeys = (): boolean =>
  globalThis.isSecureContext &&
  !/^[\d.]+$|^\[/.test(location.hostname) &&
  typeof PublicKeyCredential === 'function' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Asks the device to create a passkey; undefined if its user declined. */
export async function createPasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<PasskeyDraft['response'] | undefined> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const made = await unlessDeclined(navigator.credentials.create({ publicKey }))
  const json = made instanceof PublicKeyCredential ? made.toJSON() : undefined
  if (json === undefined || !('attestationObject' in json.response)) return undefined
  const { clientDataJSON, attestationObject } = json.response
  return { ...named(json), response: { clientDataJSON, attestationObject } }
}

/** Asks the device for a passkey of this host; undefined if its user declined. */
export async function askForPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<PasskeySignIn['response'] | undefined> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const got = await unlessDeclined(navigator.credentials.get({ publicKey }))
  const json = got instanceof PublicKeyCredential ? got.toJSON() : undefined
  if (json === undefined || !('signature' in json.response)) return undefined
  const { clientDataJSON, authenticatorData, signature, userHandle } = json.response
  const response = { clientDataJSON, authenticatorData, signature, userHandle: userHandle ?? null }
  return { ...named(json), response }
}

const named = ({ id, rawId }: { readonly id: string; readonly rawId: string }) => ({
  id,
  rawId,
  type: 'public-key' as const,
})

async function unlessDeclined(asking: Promise<Credential | null>): Promise<Credential | null> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotAllowedError') {
      // Chromium says so by the text alone; the certificate that the panel makes for itself is such a one
      if (!/\bcertificate\b/i.test(error.message)) return null
      throw new Error(
        'The browser does not trust the certificate of the panel, so it allows no passkeys here.',
        {
          cause: error,
        },
      )
    }
    if (error instanceof DOMException && error.name === 'InvalidStateError')
      throw new Error('This device has a passkey of yours for this host already.', { cause: error })
    throw error
  }
}
