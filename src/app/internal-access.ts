import { randomBytes, timingSafeEqual } from 'node:crypto'
import { writeFileSync, rmSync } from 'node:fs'
import type { Caller, Visitor } from '../core/caller.ts'
import type { Credentials } from '../surfaces/http/authenticate.ts'

/**
 * Admits the command line of this host: a token that changes with every start is in the data directory, readable by the
 * panel's own account only. A process that can read it could read the store as well.
 */
export function withLocalAccess(
  credentials: Credentials,
  dataDir: string,
): { readonly credentials: Credentials; close(): void } {
  const token = `hri_${randomBytes(32).toString('base64url')}`
  const path = `${dataDir}/local.token`
  rmSync(path, { force: true })
  writeFileSync(path, token, { mode: 0o600, flag: 'wx' })
  const wanted = Buffer.from(token)
  return {
    credentials: {
      ...credentials,
      find: (given, visitor) => {
        const candidate = Buffer.from(given)
        if (candidate.length !== wanted.length || !timingSafeEqual(candidate, wanted))
          return credentials.find(given, visitor)
        return localCaller(visitor)
      },
    },
    close: () => rmSync(path, { force: true }),
  }
}

/** The command line of this host, which is no user of the panel. */
export const localCaller = (visitor: Visitor): Caller => ({
  ...visitor,
  ip: 'local',
  user: { id: localUserId, email: 'command line', isAdmin: true, username: null },
  permissions: new Set(),
  sessionId: null,
  keyId: null,
})

export const localUserId = 0
