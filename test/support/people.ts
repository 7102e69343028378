import { freshTokens } from '../../src/areas/auth/tokens.ts'
import { hashNewPassword } from '../../src/areas/users/index.ts'
import type { PermissionSlug } from '../../src/core/permissions.ts'
import { insertRow } from '../../src/store/rows.ts'
import type { Store } from '../../src/store/store.ts'

/** A user to create for a test. */
export interface PersonDraft {
  readonly email?: string
  readonly isAdmin?: boolean
  readonly isSuspended?: boolean
  readonly permissions?: readonly PermissionSlug[]
  /** The Linux account that the user owns; the host's own accounts are not touched. */
  readonly username?: string
}

/** A user who is signed in. */
export interface Person {
  readonly id: number
  readonly email: string
  readonly password: string
  readonly token: string
  readonly refreshToken: string
  readonly sessionId: number
}

/** The password of all test users. Hashing takes 90 ms by design, so it is done once. */
const password = 'correct horse battery'
const hash = hashNewPassword('', password)

/** Adds a user with an open session to the store, as sign-up and sign-in would. */
export async function addPerson(store: Store, draft: PersonDraft): Promise<Person> {
  const now = new Date()
  const at = now.toISOString()
  const id = store.nextId('users')
  const email = draft.email ?? `person-${id}@example.com`
  const flags = {
    is_admin: Number(draft.isAdmin ?? false),
    is_suspended: Number(draft.isSuspended ?? false),
  }
  const user = {
    id,
    email,
    time_zone: null,
    fullname: `Person ${id}`,
    username: draft.username ?? null,
    password_hash: await hash,
    ...flags,
    created_at: at,
    updated_at: at,
    revision: 1,
  }
  const rows = [
    insertRow('users', user),
    ...(draft.permissions ?? []).map((slug) => insertRow('user_permissions', { user_id: id, slug })),
  ]
  await store.transaction((tx) => store.write(tx, rows))
  return { id, email, password, ...(await addSession(store, id)) }
}

/** Adds a session of a user to the store, as a sign-in would. */
export async function addSession(
  store: Store,
  userId: number,
): Promise<Pick<Person, 'token' | 'refreshToken' | 'sessionId'>> {
  const now = new Date()
  const at = now.toISOString()
  const sessionId = store.nextId('sessions')
  const tokens = freshTokens(now)
  const session = {
    id: sessionId,
    user_id: userId,
    access_hash: tokens.accessHash,
    access_expires_at: tokens.accessExpiresAt,
    expires_at: tokens.expiresAt,
    created_at: at,
    last_used_at: at,
    ip: '192.0.2.1',
    user_agent: 'test',
    proved_at: null,
  }
  const refresh = { hash: tokens.refreshHash, session_id: sessionId, created_at: at, used_at: null }
  const rows = [insertRow('sessions', session), insertRow('refresh_tokens', refresh)]
  await store.transaction((tx) => store.write(tx, rows))
  return { token: tokens.access, refreshToken: tokens.refresh, sessionId }
}
