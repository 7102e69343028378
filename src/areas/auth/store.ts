import { sql } from 'kysely'
import { boolean, id, integer, oneOf, optional, ref, secret, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'

const notUndone = { left: 'an undo neither opens nor ends sessions' }

export const sessions = table(
  'sessions',
  {
    id: id(),
    user_id: ref('users'),
    access_hash: secret({ unique: true }),
    access_expires_at: time(),
    expires_at: time(),
    created_at: time(),
    last_used_at: time(),
    ip: text(64),
    user_agent: text(300),
    /** When a code of the second factor was last entered, or a passkey used; null if none was. */
    proved_at: optional(time()),
  },
  { notUndone },
)
export type SessionRow = RowOf<typeof sessions>

export const refreshTokens = table(
  'refresh_tokens',
  {
    hash: secret({ key: true }),
    session_id: ref('sessions'),
    created_at: time(),
    used_at: optional(time()),
  },
  { notUndone },
)

const noFactorUndone = { left: 'an undo does not change second factors' }

export const otpFactors = table(
  'otp_factors',
  {
    user_id: ref('users', { key: true }),
    sealed_secret: secret(),
    /** The time step of the last used code: no code is accepted twice. */
    last_counter: integer(),
    created_at: time(),
    /** Null until a first code was entered. */
    enabled_at: optional(time()),
  },
  { notUndone: noFactorUndone },
)
export type OtpFactorRow = RowOf<typeof otpFactors>

/** The recovery codes that are left: a used one is deleted. */
export const recoveryCodes = table(
  'recovery_codes',
  { hash: secret({ key: true }), user_id: ref('users') },
  { notUndone: noFactorUndone },
)

/** The last time of each event of a second factor that its user is told of. */
export const factorEvents = table(
  'factor_events',
  {
    user_id: ref('users', { key: true }),
    kind: oneOf(['disabled', 'removed', 'recovery_code', 'wrong_code'], { key: true }),
    happened_at: time(),
  },
  { notUndone: noFactorUndone },
)
export type FactorEventRow = RowOf<typeof factorEvents>

export const passkeys = table(
  'passkeys',
  {
    id: id(),
    user_id: ref('users'),
    credential_id: text(1400, { unique: true }),
    /** COSE, in base64url. */
    public_key: secret(),
    counter: integer(),
    /** The host name of the panel that it was made for. */
    rp_id: text(253),
    /** Where it was added, and signs in: with the port. */
    origin: text(300),
    name: text(100),
    is_synced: boolean(),
    created_at: time(),
    last_used: optional(time()),
  },
  { noun: 'passkey', notUndone: { left: 'an undo does not change passkeys' } },
)
export type PasskeyRow = RowOf<typeof passkeys>

/** Where users have signed in from; the first address of a user is nothing to tell of. */
export const signInAddresses = table('sign_in_addresses', {
  user_id: ref('users', { key: true }),
  ip: text(64, { key: true }),
  first_at: time(),
  user_agent: text(300),
  is_first: boolean(),
})

/** Returns the reply of a session; the caller's own is marked. */
export function showSession(row: SessionRow, ownId: number | null) {
  const { user_id: _owner, access_expires_at: _end, ...shown } = sessions.show(row)
  return { ...shown, is_current: row.id === ownId }
}

declare module '../../store/tables.ts' {
  interface Tables {
    readonly sessions: SessionRow
    readonly refresh_tokens: RowOf<typeof refreshTokens>
    readonly otp_factors: OtpFactorRow
    readonly recovery_codes: RowOf<typeof recoveryCodes>
    readonly factor_events: FactorEventRow
    readonly passkeys: PasskeyRow
    readonly sign_in_addresses: RowOf<typeof signInAddresses>
  }
}

/** This area's queries. */
export function sessionQueries(store: Store) {
  const { db } = store
  const rows = queriesOf(store, sessions)
  const tokens = queriesOf(store, refreshTokens)
  const factors = queriesOf(store, otpFactors)
  const recovery = queriesOf(store, recoveryCodes)
  return {
    byAccessHash: (hash: string) => rows.find({ access_hash: hash }),
    byId: (sessionId: number) => rows.find({ id: sessionId }),
    ofUser: (userId: number) =>
      db
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(500)
        .execute(),
    refreshToken: (hash: string) => tokens.find({ hash }),
    otpFactor: (userId: number) => factors.find({ user_id: userId }),
    recoveryCode: (hash: string) => recovery.find({ hash }),
    recoveryCodesOf: (userId: number) =>
      db.selectFrom('recovery_codes').select('hash').where('user_id', '=', userId).limit(10).execute(),
    factorEventsAfter: (since: Date): Promise<readonly FactorEventRow[]> =>
      db
        .selectFrom('factor_events')
        .selectAll()
        .where('happened_at', '>', since.toISOString())
        .limit(200)
        .execute(),
    markUsed: (sessionId: number, ip: string, now: Date) =>
      db
        .updateTable('sessions')
        .set({ last_used_at: now.toISOString(), ip })
        .where('id', '=', sessionId)
        .execute(),
    /** Ends at most so many sessions whose time is over, and returns how many. */
    endExpired: async (now: Date, most: number): Promise<number> => {
      const expired = await db
        .selectFrom('sessions')
        .select('id')
        .where('expires_at', '<', now.toISOString())
        .limit(most)
        .execute()
      const deletions = expired.map((session) => sessions.delete({ id: session.id }))
      await store.transaction((tx) => store.write(tx, deletions))
      return expired.length
    },
  }
}

/** The queries of the passkeys. */
export function passkeyQueries(store: Store) {
  const rows = queriesOf(store, passkeys)
  return {
    byId: (passkeyId: number) => rows.find({ id: passkeyId }),
    byCredential: (credentialId: string) => rows.find({ credential_id: credentialId }),
    ofUser: (userId: number): Promise<readonly PasskeyRow[]> =>
      store.db
        .selectFrom('passkeys')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(100)
        .execute(),
    madeAfter: (since: Date): Promise<readonly PasskeyRow[]> =>
      store.db
        .selectFrom('passkeys')
        .selectAll()
        .where('created_at', '>', since.toISOString())
        .orderBy('id')
        .limit(200)
        .execute(),
  }
}

export type PasskeyQueries = ReturnType<typeof passkeyQueries>

/** The queries of the addresses that users sign in from. */
export function addressQueries({ db }: Pick<Store, 'db'>) {
  return {
    /** Stores the addresses of sessions that were opened after a time, unless they are known. */
    remember: async (since: Date): Promise<void> => {
      await sql`with fresh as (
          select user_id, ip, created_at as first_at, user_agent, id as first_id from sessions
          where created_at > ${since.toISOString()} and not exists (
            select 1 from sign_in_addresses known where known.user_id = sessions.user_id and known.ip = sessions.ip)
          and not exists (
            select 1 from sessions earlier where earlier.user_id = sessions.user_id and earlier.ip = sessions.ip
              and earlier.created_at > ${since.toISOString()}
              and (earlier.created_at, earlier.id) < (sessions.created_at, sessions.id)))
        insert into sign_in_addresses (user_id, ip, first_at, user_agent, is_first)
        select user_id, ip, first_at, user_agent,
          case when not exists (select 1 from sign_in_addresses known where known.user_id = fresh.user_id)
            and not exists (select 1 from sessions older where older.user_id = fresh.user_id and older.id < fresh.first_id)
            then 1 else 0 end
        from fresh`.execute(db)
    },
    /** The addresses that were first used after a time, but for those that users began with. */
    firstUsed: (since: Date) =>
      db
        .selectFrom('sign_in_addresses')
        .selectAll()
        .where('is_first', '=', 0)
        .where('first_at', '>', since.toISOString())
        .orderBy('first_at')
        .limit(200)
        .execute(),
  }
}

export type AddressQueries = ReturnType<typeof addressQueries>

export type SessionQueries = ReturnType<typeof sessionQueries>
