import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { openAccounts } from '../../../host/accounts.ts'
import { openFiles } from '../../../host/files.ts'
import { run } from '../../../host/run.ts'
import type { PostgresPlace } from '../server.ts'

/** A PostgreSQL of its own, in a temporary folder, which is reached through its socket alone. */
export interface ScratchPostgresql {
  readonly place: PostgresPlace
  readonly socketPath: string
  stop(): Promise<void>
}

/** The folder of the programs of Debian's package postgresql-15. */
const programs = '/usr/lib/postgresql/15/bin'
const port = 5432

/** Starts PostgreSQL under its own account; needs root and the package postgresql-15. */
export async function startPostgresql(): Promise<ScratchPostgresql> {
  const account = await openAccounts(run, openFiles('/')).find('postgres')
  if (account === undefined) throw new Error('the package postgresql-15 is not installed')
  const folder = mkdtempSync('/tmp/hostreeve-postgresql-')
  chownSync(folder, account.uid, account.gid)
  const as = { uid: account.uid, gid: account.gid }
  const program = async (name: string, ...args: readonly string[]) => {
    const ended = await run([`${programs}/${name}`, ...args], { as, cwd: folder, timeoutMs: 120_000 })
    if (ended.code !== 0) throw new Error(ended.stderr || ended.stdout)
  }
  const data = `${folder}/data`
  await program(
    'initdb',
    ...['--no-sync', '--auth-local=peer', '--auth-host=scram-sha-256', '--username=postgres'],
    ...['--encoding=UTF8', '--locale=C.UTF-8', `--pgdata=${data}`],
  )
  const settings = {
    ...{ listen_addresses: '', unix_socket_directories: folder, fsync: 'off', full_page_writes: 'off' },
    ...{ shared_buffers: '16MB', max_connections: '40', logging_collector: 'off', autovacuum: 'off' },
  }
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value || "''"}`)
  await program(
    'pg_ctl',
    ...['start', '--wait', '--silent', `--pgdata=${data}`, `--log=${folder}/log`],
    `--options=${options.join(' ')}`,
  )
  const stop = async () => {
    await program('pg_ctl', 'stop', '--mode=immediate', '--silent', `--pgdata=${data}`)
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    place: {
      run,
      account: async () => as,
      programs: async () => programs,
      socketFolder: folder,
      port,
    },
    socketPath: `${folder}/.s.PGSQL.${port}`,
    stop,
  }
}
