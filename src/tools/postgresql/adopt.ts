import type { StepKind } from '../../core/change.ts'
import { NotFound } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { identifier, sql } from '../../host/apply/steps.ts'
import type { Creating } from './databases.ts'
import { ownerRole } from './names.ts'
import type { PostgresServer } from './server.ts'

interface AdoptArgs {
  readonly name: string
}

interface OwnedState {
  readonly owner: string
}

/**
 * The step that gives a database which somebody made on the server to a role of its own, with what its owner has in it, so that
 * users can be added to it. Its former owner, if no superuser, keeps its rights as a member of that role.
 */
export function adoptDatabase({ server, prepare }: Creating): StepKind<AdoptArgs, Was<OwnedState>, null> {
  return {
    ...stateStep<AdoptArgs, OwnedState>({
      name: 'postgresql.adopt-database',
      plan: ({ name }) => ({
        title: `Give the database ${name} in PostgreSQL to a role of its own`,
        details: ['Who connected to it as the public does so no longer'],
      }),
      read: ({ name }) => readOwner(server, name),
      wanted: ({ name }) => ({ owner: ownerRole(name) }),
      refuse: ({ name }, now) => {
        if (now === undefined) throw NotFound(`name: the server has no database ${name}`)
      },
      write: async ({ name }, state, { now }) => {
        if (state === undefined || now === undefined) return
        await prepare()
        await give(server, name, { from: now.owner, to: state.owner })
      },
    }),
    notUndone: 'its users may have made tables by now: dissociate it by hand',
  }
}

async function readOwner(server: PostgresServer, name: string): Promise<OwnedState | undefined> {
  const [row] = await server.run(
    sql`select rolname owner from pg_database d join pg_roles r on r.oid = datdba where datname = ${name}`,
  )
  return row && { owner: String(row['owner']) }
}

/** Objects are given one by one: `reassign owned` refuses those of the first superuser, and would take what a role has elsewhere. */
async function give(
  server: PostgresServer,
  name: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const [database, owner] = [identifier(name), identifier(to)]
  const [row] = await server.run(
    sql`select (select count(*) from pg_roles where rolname = ${to}) owners,
      (select rolsuper::int from pg_roles where rolname = ${from}) is_super`,
  )
  if (row?.['owners'] === 0) await server.run(sql`create role ${owner} nologin`)
  const statements = await server.run(ownedBy(from, to), name)
  await server.runAll(
    [
      ...statements.map((found) => ({ parts: [String(found['statement'])], values: [] })),
      sql`revoke all on database ${database} from public`,
      ...(row?.['is_super'] === 0 && !from.includes(':') ? [sql`grant ${owner} to ${identifier(from)}`] : []),
      sql`alter database ${database} owner to ${owner}`,
    ],
    name,
  )
}

/** Returns the statements that give objects of a database to a role; the names are quoted by the server. */
const ownedBy = (from: string, to: string) => sql`
  with was as (select oid from pg_roles where rolname = ${from}),
    outside as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
    extended as (select classid, objid from pg_depend where deptype = 'e')
  select format('alter schema %I owner to %I', nspname, ${to}::text) statement
    from pg_namespace n where nspowner in (select oid from was) and oid in (select oid from outside)
      and nspname <> 'public'
      and ('pg_namespace'::regclass, n.oid) not in (select classid, objid from extended)
  union all select format('alter %s %s owner to %I', case relkind when 'v' then 'view'
      when 'm' then 'materialized view' when 'S' then 'sequence' when 'f' then 'foreign table' else 'table' end,
      c.oid::regclass, ${to}::text)
    from pg_class c where relowner in (select oid from was) and relnamespace in (select oid from outside)
      and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
      and ('pg_class'::regclass, c.oid) not in (select classid, objid from extended)
      and not (relkind = 'S' and exists (select from pg_depend where classid = 'pg_class'::regclass
        and objid = c.oid and deptype in ('a', 'i')))
  union all select format('alter routine %s owner to %I', p.oid::regprocedure, ${to}::text)
    from pg_proc p where proowner in (select oid from was) and pronamespace in (select oid from outside)
      and ('pg_proc'::regclass, p.oid) not in (select classid, objid from extended)
  union all select format('alter type %s owner to %I', t.oid::regtype, ${to}::text)
    from pg_type t where typowner in (select oid from was) and typnamespace in (select oid from outside)
      and typrelid = 0 and typelem = 0 and typtype in ('e', 'd', 'r')
      and ('pg_type'::regclass, t.oid) not in (select classid, objid from extended)`
