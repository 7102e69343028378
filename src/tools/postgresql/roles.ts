import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { identifier, sql, type SqlStatement } from '../../host/apply/steps.ts'
import { ownerRole, websitesRole } from './names.ts'
import type { PostgresServer } from './server.ts'

interface AccountArgs {
  readonly username: string
  /** The one database that it has rights on. */
  readonly database: string
  /** The verifier of its password; null removes the account. */
  readonly verifier: string | null
}

interface AccountState {
  readonly verifier: string
  readonly canLogin?: true
  /** True if it is a user of a website, who may sign in by password. */
  readonly isOfWebsites: boolean
  /** True if it has the rights of the owner of the database. */
  readonly isOfOwner: boolean
  /** True if what it makes belongs to the owner of the database, and so to all its users. */
  readonly actsAsOwner: boolean
}

/** The step that creates an account with all rights on one database, sets its password, or removes it. */
export function setAccount(server: PostgresServer): StepKind<AccountArgs, Was<AccountState>, null> {
  return stateStep<AccountArgs, AccountState>({
    name: 'postgresql.set-account',
    plan: ({ username, verifier, database }) =>
      verifier === null
        ? { title: `Remove the account ${username} from PostgreSQL` }
        : {
            title: `Set the password of the account ${username} in PostgreSQL`,
            details: [`The account has all rights on the database ${database}, and on no other`],
          },
    read: (args) => readAccount(server, args),
    wanted: ({ verifier }) =>
      verifier === null
        ? undefined
        : { verifier, canLogin: true, isOfWebsites: true, isOfOwner: true, actsAsOwner: true },
    write: async ({ username, database }, state, { now }) => {
      if (state === undefined) return dropRole(server, { role: username, database })
      await server.runAll(statementsFor(username, database, { state, now }))
    },
  })
}

async function readAccount(
  server: PostgresServer,
  { username, database }: AccountArgs,
): Promise<AccountState | undefined> {
  const owner = ownerRole(database)
  const [row] = await server.run(
    sql`select coalesce(rolpassword, '') verifier, rolcanlogin::int can_login,
      (select count(*) from pg_auth_members m join pg_roles r on r.oid = m.roleid
        where m.member = a.oid and r.rolname = ${websitesRole}) of_websites,
      (select count(*) from pg_auth_members m join pg_roles r on r.oid = m.roleid
        where m.member = a.oid and r.rolname = ${owner}) of_owner,
      (select count(*) from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
        where s.setrole = a.oid and d.datname = ${database} and ${settingOf(owner)} = any (s.setconfig)) as_owner
      from pg_authid a where rolname = ${username}`,
  )
  if (row === undefined) return undefined
  return {
    verifier: String(row['verifier']),
    ...(row['can_login'] === 1 && { canLogin: true }),
    isOfWebsites: row['of_websites'] === 1,
    isOfOwner: row['of_owner'] === 1,
    actsAsOwner: row['as_owner'] === 1,
  }
}

const settingOf = (owner: string): string => `role=${owner}`

interface Setting {
  readonly state: AccountState
  readonly now: AccountState | undefined
}

function statementsFor(username: string, database: string, { state, now }: Setting): readonly SqlStatement[] {
  const [role, owner] = [identifier(username), identifier(ownerRole(database))]
  const [of, as] = [identifier(database), ownerRole(database)]
  const isNew = (key: 'isOfWebsites' | 'isOfOwner' | 'actsAsOwner') => state[key] !== (now?.[key] ?? false)
  return [
    ...(now === undefined ? [sql`create role ${role}`] : []),
    state.canLogin === true ? sql`alter role ${role} login` : sql`alter role ${role} nologin`,
    sql`alter role ${role} password ${state.verifier === '' ? null : state.verifier}`,
    ...(isNew('isOfWebsites') ? [membership(state.isOfWebsites, identifier(websitesRole), role)] : []),
    ...(isNew('isOfOwner') ? [membership(state.isOfOwner, owner, role)] : []),
    ...(isNew('actsAsOwner')
      ? [
          state.actsAsOwner
            ? sql`alter role ${role} in database ${of} set role to ${as}`
            : sql`alter role ${role} in database ${of} reset role`,
        ]
      : []),
  ]
}

const membership = (
  isMember: boolean,
  group: ReturnType<typeof identifier>,
  role: ReturnType<typeof identifier>,
): SqlStatement => (isMember ? sql`grant ${group} to ${role}` : sql`revoke ${group} from ${role}`)

/** Removes a role that has something in one database at most; what it owns there goes to the owner of the database. */
export async function dropRole(
  server: PostgresServer,
  { role, database }: { readonly role: string; readonly database: string },
): Promise<void> {
  const owner = ownerRole(database)
  const [found] = await server.run(
    sql`select (select count(*) from pg_roles where rolname = ${role}) roles,
      (select count(*) from pg_database d join pg_roles r on r.oid = d.datdba
        where datname = ${database} and rolname = ${owner}) databases`,
  )
  if (found?.['roles'] !== 1) return
  const name = identifier(role)
  await server.run(sql`alter role ${name} nologin`)
  await server.run(sql`select pg_terminate_backend(pid, 10000) from pg_stat_activity where usename = ${role}`)
  if (found['databases'] === 1)
    await server.runAll(
      [sql`reassign owned by ${name} to ${identifier(owner)}`, sql`drop owned by ${name}`],
      database,
    )
  await server.run(sql`drop role if exists ${name}`)
}

/** Lists the accounts and roles of this name. */
export async function findAccounts(
  server: PostgresServer,
  username: string,
): Promise<readonly { readonly username: string; readonly host: string }[]> {
  const rows = await server.run(sql`select rolname from pg_roles where rolname = ${username}`)
  return rows.map(() => ({ username, host: 'localhost' }))
}
