import { BadRequest } from '../../../core/problem.ts'
import { isMasked } from '../../../core/secret.ts'
import type { RemoteUrl } from '../../../host/owner/git/index.ts'
import type { Credentials } from './model.ts'

/** Throws if the credentials do not fit the scheme of the address, or the private key is malformed. */
export function refuseMismatch(url: RemoteUrl, credentials: Credentials | undefined): void {
  if (credentials === undefined) return
  const { password, private_key: privateKey } = credentials
  if (url.scheme === 'ssh' && privateKey === undefined)
    throw BadRequest('credentials.private_key: is required, because ssh signs in with a private key')
  if (url.scheme !== 'ssh' && password === undefined)
    throw BadRequest(
      `credentials.password: is required, because ${url.scheme} signs in with a password or token`,
    )
  if (
    privateKey !== undefined &&
    !isMasked(privateKey) &&
    !/^-----BEGIN [A-Z ]*PRIVATE KEY-----\r?\n/.test(privateKey)
  )
    throw BadRequest('credentials.private_key: must be a private key as ssh-keygen writes it')
  if (privateKey !== undefined && isLocked(privateKey))
    throw BadRequest(
      'credentials.private_key: has a passphrase, which the panel does not support; remove it with ssh-keygen -p',
    )
}

const opensshMark = 'openssh-key-v1\0'

// PEM states the encryption in a header; the OpenSSH format begins with its magic and the cipher name, which follows its length in four bytes (PROTOCOL.key).
function isLocked(key: string): boolean {
  if (/^Proc-Type: 4,ENCRYPTED|^-----BEGIN ENCRYPTED /m.test(key)) return true
  const bytes = Buffer.from(key.replaceAll(/-----[^-]*-----/g, ''), 'base64').toString('latin1')
  return (
    bytes.startsWith(opensshMark) && bytes.slice(opensshMark.length + 4, opensshMark.length + 8) !== 'none'
  )
}
