import { createHash } from 'node:crypto'
import { Unavailable } from '../../core/problem.ts'
import type { Run } from '../../host/run.ts'
import type { NginxLayout } from './layout.ts'

/** A user of a protected folder, with a hash as crypt(3) makes it. */
export interface HashedUser {
  readonly username: string
  readonly hash: string
}

/** The path of the users of a protected folder of a site. */
export function passwordsPath(
  { passwordsDirectory }: Pick<NginxLayout, 'passwordsDirectory'>,
  siteId: number,
  folder: string,
): string {
  return `${passwordsDirectory}/${siteId}-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
}

/** Renders the users as nginx reads them (ngx_http_auth_basic_module). */
export function renderPasswords(users: readonly HashedUser[]): string {
  for (const { username, hash } of users)
    if (/[:\p{Cc}]/u.test(username) || !/^[$./0-9A-Za-z]+$/.test(hash))
      throw new Error(`nginx cannot represent the user ${username}`)
  return users.map(({ username, hash }) => `${username}:${hash}\n`).join('')
}

/** Hashes a password with SHA-512 crypt, which nginx verifies by crypt(3); the password is sent to standard input. */
export async function hashPassword(run: Run, password: string): Promise<string> {
  const argv = ['openssl', 'passwd', '-6', '-stdin'] as const
  const { code, stdout, stderr } = await run(argv, {
    input: `${password}\n`,
    timeoutMs: 10_000,
    maxBytes: 4096,
  })
  const hash = stdout.trim()
  if (code === 0 && hash.startsWith('$6$')) return hash
  const reason = code === 127 ? 'the package openssl is not installed' : stderr.trim().slice(0, 500)
  throw Unavailable(`The password cannot be hashed: ${reason}`)
}
