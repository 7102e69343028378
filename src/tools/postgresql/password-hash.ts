import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

const iterations = 4096

/** The verifier that the server keeps of a password (RFC 5803). The password itself never reaches a statement, which it might log. */
export function verifierOf(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(prepared(password), salt, iterations, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64')
  const server = hmac('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`
}

const toSpace = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g
const toNothing = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g
// oxlint-disable-next-line no-control-regex -- the characters that RFC 4013 prohibits
const prohibited =
  /[\u0000-\u001f\u007f-\u009f\u06dd\u070f\u180e\u2028\u2029\u206a-\u206f\ufff9-\uffff\ue000-\uf8ff]/

/** As the server and its clients prepare a password (SASLprep); one that the profile prohibits is taken as it is. */
function prepared(password: string): string {
  const normal = password.replaceAll(toSpace, ' ').replaceAll(toNothing, '').normalize('NFKC')
  return prohibited.test(normal) || normal === '' ? password : normal
}
