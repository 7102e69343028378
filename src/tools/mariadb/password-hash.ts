import { createHash } from 'node:crypto'
import type { SignInMethod } from './authentication.ts'
import { isMysqlHash } from './mysql-password-hash.ts'

/** The hash that MariaDB keeps of a password. The password itself never reaches a statement, which it might log. */
export const hashOf = (password: string): string => `*${sha1(sha1(password)).toString('hex').toUpperCase()}`

/** Lets an account sign in with the password of this hash. */
export const byHash = (hash: string): SignInMethod => ({
  plugin: isMysqlHash(hash) ? 'caching_sha2_password' : 'mysql_native_password',
  secret: hash,
})

const sha1 = (content: string | Buffer): Buffer => createHash('sha1').update(content).digest()
