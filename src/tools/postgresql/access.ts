import { poll } from '../../core/poll.ts'
import { Unavailable } from '../../core/problem.ts'
import { identifier, sql } from '../../host/apply/steps.ts'
import { ConfigRejected } from '../../host/apply/problems.ts'
import type { Files } from '../../host/files.ts'
import { websitesRole } from './names.ts'
import type { PostgresServer } from './server.ts'

/** What prepares a server for databases of websites. */
export interface Preparing {
  readonly server: PostgresServer
  readonly files: Pick<Files, 'read' | 'facts' | 'write'>
}

const rules = `# Hostreeve: users of databases of websites sign in with their password, and do not reach databases of the server itself
local  postgres,template1  +"${websitesRole}"       reject
host   postgres,template1  +"${websitesRole}"  all  reject
local  all                 +"${websitesRole}"       scram-sha-256
# Hostreeve: end
`

/** Makes the role of users of websites, and lets them sign in with their password by the socket too; may be repeated at any time. */
export async function prepareServer({ server, files }: Preparing): Promise<void> {
  const [row] = await server.run(
    sql`select current_setting('hba_file') file,
      (select count(*) from pg_roles where rolname = ${websitesRole}) roles`,
  )
  if (row?.['roles'] === 0) await server.run(sql`create role ${identifier(websitesRole)} nologin`)
  const path = String(row?.['file'])
  const text = await files.read(path)
  if (text === undefined) throw Unavailable(`PostgreSQL: its file ${path} is missing`)
  if (text.includes(rules)) return
  const rights = await files.facts(path)
  const kept = text.replace(/^# Hostreeve: users[^]*?# Hostreeve: end\n/m, '')
  await files.write(path, `${rules}${kept}`, rights && { rights })
  const [wrong] = await server.run(
    sql`select line_number, error from pg_hba_file_rules where error is not null`,
  )
  if (wrong !== undefined) {
    await files.write(path, text, rights && { rights })
    throw ConfigRejected(`${path} line ${wrong['line_number']}: ${wrong['error']}`)
  }
  await reload(server)
}

const limitMs = 30_000

/** New connections follow the new rules once the server says that it has read them. */
async function reload(server: PostgresServer): Promise<void> {
  const loadedAt = async () =>
    (await server.run(sql`select pg_conf_load_time()::text loaded_at`))[0]?.['loaded_at']
  const before = await loadedAt()
  await server.run(sql`select pg_reload_conf()`)
  const isLoaded = async () => ((await loadedAt()) === before ? undefined : true)
  if (!(await poll(isLoaded, { limitMs, everyMs: 50 })))
    throw Unavailable('PostgreSQL did not read its file pg_hba.conf again')
}
