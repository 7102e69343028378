import { randomBytes } from 'node:crypto'
import type { KeyedMutex } from '../../../core/keyed-mutex.ts'
import { identifier, sql } from '../../../host/apply/steps.ts'
import type { Owner } from '../../../host/owner/index.ts'
import type { RunResult } from '../../../host/run.ts'
import { clientRole, databaseOfClient, ownerRole, websitesRole } from '../names.ts'
import { verifierOf } from '../password-hash.ts'
import { dropRole } from '../roles.ts'
import type { PostgresServer } from '../server.ts'

type OwnerRun = NonNullable<Parameters<Owner['run']>[1]>

/** The programs of the server that work on one database, in the home of its owner. */
export interface Clients {
  readonly server: PostgresServer
  /** Prepares the server, so that such a program can sign in. */
  readonly prepare: () => Promise<void>
  readonly programs: () => Promise<string>
  readonly socketFolder: string
  readonly port: number
  /** The databases on which this panel has such a program now. */
  readonly active: Set<string>
  /** By database: a start removes what a killed panel left while an undo works under the same role. */
  readonly alone: KeyedMutex<string>
}

const limitMs = 12 * 3_600_000
/** Where the client looks for it by itself: a path among the arguments would be one more setting that a database name could have. */
const serviceFile = '/etc/postgresql-common/pg_service.conf'

/** Runs a program, without the name of the database, which it has from its service file. */
export type RunClient = (
  argv: readonly [string, ...string[]],
  options: Omit<OwnerRun, 'sockets' | 'file'>,
) => Promise<RunResult>

/**
 * Opens what runs psql or pg_dump in the home of the owner, under a role with the rights of the database's users; `dropClient`
 * closes it. The role has a password, which exists in the namespace of the program alone.
 */
export async function openClient(
  on: Clients,
  { owner, database }: { readonly owner: Owner; readonly database: string },
): Promise<RunClient> {
  on.active.add(database)
  const password = randomBytes(18).toString('base64url')
  const role = clientRole(database)
  await on.alone.run(database, () => createClient(on, database, password))
  const folder = await on.programs()
  const content = [
    '[hostreeve]',
    `host=${on.socketFolder}`,
    `port=${on.port}`,
    `user=${role}`,
    `password=${password}`,
    `dbname=${database}`,
    'client_encoding=UTF8',
    '',
  ].join('\n')
  return ([program, ...args], options) =>
    owner.run([`${folder}/${program}`, ...args, '--dbname=service=hostreeve'], {
      timeoutMs: limitMs,
      ...options,
      sockets: [`${on.socketFolder}/.s.PGSQL.${on.port}`],
      file: { path: serviceFile, content },
    })
}

async function createClient(on: Clients, database: string, password: string): Promise<void> {
  await on.prepare()
  const role = clientRole(database)
  await dropRole(on.server, { role, database })
  const [name, owner] = [identifier(role), ownerRole(database)]
  await on.server.runAll([
    sql`create role ${name} login password ${verifierOf(password)} connection limit 8`,
    sql`grant ${identifier(websitesRole)}, ${identifier(owner)} to ${name}`,
    sql`alter role ${name} in database ${identifier(database)} set role to ${owner}`,
  ])
}

/** Ends what the role of a database does, and removes it. */
export const dropClient = (
  { server, alone, active }: Pick<Clients, 'server' | 'alone' | 'active'>,
  database: string,
): Promise<void> =>
  alone
    .run(database, () => dropRole(server, { role: clientRole(database), database }))
    .finally(() => active.delete(database))

/** Removes the roles that a killed panel left, but for those in use. */
export async function dropClients({ server, alone, active }: Clients): Promise<void> {
  const rows = await server.run(sql`select rolname from pg_roles where rolname like ${'%:client'}`)
  for (const row of rows) {
    const database = databaseOfClient(String(row['rolname']))
    if (database === undefined || active.has(database)) continue
    await alone.run(database, async () => {
      if (!active.has(database)) await dropRole(server, { role: clientRole(database), database })
    })
  }
}
