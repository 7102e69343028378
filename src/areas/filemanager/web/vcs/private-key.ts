/** Returns the reason why the panel cannot use a private key; undefined for a usable key or an empty text. */
export function keyProblem(text: string): string | undefined {
  const key = text.trim()
  if (key === '') return undefined
  const kind = /^-----BEGIN ([A-Z ]*)PRIVATE KEY-----\r?\n/.exec(key)?.[1]
  if (kind === undefined)
    return /^(?:ssh|ecdsa|sk)-/.test(key)
      ? 'This is the public key; the private key is required'
      : 'It must begin with -----BEGIN … PRIVATE KEY-----'
  if (!/-----END [A-Z ]*PRIVATE KEY-----$/.test(key))
    return 'It is incomplete: it must end with -----END … PRIVATE KEY-----'
  return kind.includes('ENCRYPTED') || key.includes('Proc-Type: 4,ENCRYPTED') || isSealed(key)
    ? 'It has a passphrase: remove it with ssh-keygen -p'
    : undefined
}

const magic = 'openssh-key-v1\0'

/** OpenSSH's own format names the cipher after the magic and a length (PROTOCOL.key in OpenSSH). */
function isSealed(key: string): boolean {
  const bytes = decoded(key.replace(/-----[^-]*-----/g, '').replace(/\s/g, ''))
  return bytes.startsWith(magic) && bytes.slice(magic.length + 4, magic.length + 8) !== 'none'
}

function decoded(base64: string): string {
  try {
    return atob(base64)
  } catch {
    return '' // not base64: the panel reports the error of ssh
  }
}
