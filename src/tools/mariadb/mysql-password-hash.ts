import { createHash, randomBytes } from 'node:crypto'

const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const saltLength = 20
const rounds = 5000

/**
 * The hash that MySQL keeps of a password: SHA-256 crypt (https://www.akkadia.org/drepper/SHA-crypt.txt) with a salt of 20
 * characters and 5000 rounds, of which it notes the thousands. MySQL knows no hash of MariaDB, and none of its own could be
 * made of one.
 */
export const mysqlHashOf = (password: string): string => {
  const salt = [...randomBytes(saltLength)].map((byte) => alphabet[byte % alphabet.length]).join('')
  return `$A$005$${salt}${sha256Crypt(password, salt)}`
}

/** True for a hash of MySQL, false for one of MariaDB. */
export const isMysqlHash = (hash: string): boolean => /^\$A\$\d{3}\$/.test(hash)

/** Returns the last part of what crypt(3) returns of `$5$SALT$`. */
export function sha256Crypt(text: string, saltText: string): string {
  const [password, salt] = [Buffer.from(text), Buffer.from(saltText)]
  const first = startOf(password, salt)
  const passwords = filled(digest(...Array<Buffer>(password.length).fill(password)), password.length)
  const salts = filled(digest(...Array<Buffer>(16 + (first[0] ?? 0)).fill(salt)), salt.length)
  let last = first
  for (let round = 0; round < rounds; round += 1)
    last = digest(
      round % 2 === 1 ? passwords : last,
      ...(round % 3 === 0 ? [] : [salts]),
      ...(round % 7 === 0 ? [] : [passwords]),
      round % 2 === 1 ? last : passwords,
    )
  return encoded(last)
}

function startOf(password: Buffer, salt: Buffer): Buffer {
  const other = digest(password, salt, password)
  const parts = [password, salt, filled(other, password.length)]
  for (let left = password.length; left > 0; left >>= 1) parts.push(left % 2 === 1 ? other : password)
  return digest(...parts)
}

function digest(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Repeats bytes up to a length. */
const filled = (bytes: Buffer, length: number): Buffer => Buffer.alloc(length, bytes)

/** The order in which the bytes are written, three at a time. */
const order = [
  [0, 10, 20],
  [21, 1, 11],
  [12, 22, 2],
  [3, 13, 23],
  [24, 4, 14],
  [15, 25, 5],
  [6, 16, 26],
  [27, 7, 17],
  [18, 28, 8],
  [9, 19, 29],
] as const

function encoded(bytes: Buffer): string {
  const at = (index: number) => bytes[index] ?? 0
  const groups = order.map(([high, middle, low]) => letters([at(high), at(middle), at(low)], 4))
  return [...groups, letters([0, at(31), at(30)], 3)].join('')
}

function letters([high, middle, low]: readonly [number, number, number], count: number): string {
  const value = high * 65_536 + middle * 256 + low
  return Array.from({ length: count }, (_, place) => alphabet[Math.floor(value / 64 ** place) % 64]).join('')
}
