import { Problem } from '../../core/problem.ts'
import { isAddress } from '../../host/fetch/index.ts'
import type { Host } from '../../host/index.ts'
import { ActivationFailed, LicenceServerFailed } from './problems.ts'

/** The server that grants licences; its address is a setting of the administrator, so it may be internal. */
export interface LicenceServer {
  readonly fetch: Host['fetch']
  readonly url: string
  /** Empty if the public address is not looked up. */
  readonly publicIpUrl: string
  readonly names: () => Promise<readonly string[]>
}

const asker = { isAdmin: true }
const limitMs = 20_000
const lookupMs = 5000
const mostBytes = 128 * 1024
const mostAddressBytes = 200

/** Asks for the licence of a key and returns it as it was signed, unchecked. */
export async function askForLicence(
  { fetch, url, publicIpUrl, names }: LicenceServer,
  key: string,
  signal: AbortSignal,
): Promise<string> {
  if (url === '') throw ActivationFailed('this panel has no licence server: set license_url')
  const [host = ''] = await names()
  const body = { license_key: key, ip: await publicAddress(fetch, publicIpUrl, signal), host }
  const within = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const posted = { url, asker, body, maxBytes: mostBytes, signal: within }
  const { status, text } = await fetch.post(posted).catch((cause: unknown) => {
    throw signal.aborted ? cause : LicenceServerFailed(reasonOf(cause), { cause })
  })
  if (status >= 400 && status < 500)
    throw ActivationFailed(`the licence server refused the key with status ${status}`)
  if (status !== 200) throw LicenceServerFailed(`the licence server answered ${status}`)
  return text
}

function reasonOf(error: unknown): string {
  if (error instanceof Problem) return error.message.replace(/^url: /, '')
  return `the licence server did not answer within ${limitMs / 1000} s`
}

/** The address that others see; empty if it cannot be found, which does not fail the activation (decision 3.3). */
async function publicAddress(fetch: Host['fetch'], url: string, signal: AbortSignal): Promise<string> {
  if (url === '') return ''
  const within = AbortSignal.any([signal, AbortSignal.timeout(lookupMs)])
  try {
    const { stream } = await fetch.open({ url, asker, maxBytes: mostAddressBytes, signal: within })
    const text = Buffer.concat(await stream.toArray())
      .toString()
      .trim()
    return isAddress(text) ? text : ''
  } catch {
    signal.throwIfAborted()
    return ''
  }
}
