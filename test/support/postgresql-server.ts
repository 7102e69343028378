import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { poll } from '../../src/core/poll.ts'
import { hangMs } from './until.ts'

/** The folder of the programs of Debian's package postgresql-15. */
const programs = '/usr/lib/postgresql/15/bin'

/** A PostgreSQL server of a test, in a temporary folder, under an account without rights, with a socket and no port. */
export interface PostgresServer {
  /** The folder of its socket. */
  readonly folder: string
  /** The address of its databases, without a slash at the end. */
  readonly url: string
  /** Ends it and its sessions at once, as kill -9 does. */
  kill(): void
  /** Starts it again. */
  start(): Promise<void>
  /** Makes a replica that every commit waits for. */
  replicate(): Promise<PostgresServer>
  /** Makes a replica take writes. */
  promote(): Promise<void>
  /** Runs statements in a database. */
  query(database: string, text: string): Promise<string>
  /** Ends it and removes its folder. */
  remove(): Promise<void>
}

export const urlOfSocket = (folder: string): string => `postgres://postgres@${encodeURIComponent(folder)}`

/** Starts a server; needs root and the package postgresql-15. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const folder = await ownedFolder()
  await program(
    folder,
    'initdb',
    ...['--no-sync', '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C.UTF-8'],
    `--pgdata=${folder}/data`,
  )
  const server = serverIn(folder)
  await server.start()
  return server
}

// what is written survives the kill of a process without being synced
const settings = [
  ...["listen_addresses=''", 'fsync=off', 'full_page_writes=off', 'shared_buffers=16MB', 'autovacuum=off'],
  ...['max_connections=40', 'wal_level=replica', 'max_wal_senders=4'],
]

function serverIn(folder: string): PostgresServer {
  const run = (name: string, ...args: readonly string[]) => program(folder, name, ...args)
  const query = (database: string, text: string) =>
    run('psql', '--no-psqlrc', '-Atq', '-h', folder, '-U', 'postgres', '-d', database, '-c', text)
  const start = async () => {
    const options = [...settings, `unix_socket_directories=${folder}`].map((each) => `-c ${each}`).join(' ')
    const attempt = () =>
      run(
        'pg_ctl',
        'start',
        '--wait',
        '--silent',
        `--pgdata=${folder}/data`,
        `--log=${folder}/log`,
        `--options=${options}`,
      )
        .then(() => true)
        .catch(() => undefined) // sessions of a killed server still end
    const isStarted = await poll(attempt, { limitMs: hangMs, everyMs: 50 })
    if (isStarted !== true) throw new Error(readFileSync(`${folder}/log`, 'utf8').slice(-2000))
  }
  return {
    folder,
    url: urlOfSocket(folder),
    query,
    start,
    kill: () =>
      process.kill(
        Number(readFileSync(`${folder}/data/postmaster.pid`, 'utf8').split('\n', 1)[0]),
        'SIGKILL',
      ),
    replicate: async () => {
      const other = await ownedFolder()
      const place = `--pgdata=${other}/data`
      await run(
        'pg_basebackup',
        place,
        '--write-recovery-conf',
        '--checkpoint=fast',
        '--no-sync',
        `--host=${folder}`,
        '--username=postgres',
      )
      const replica = serverIn(other)
      await replica.start()
      await query('postgres', "alter system set synchronous_standby_names = '*'")
      await query('postgres', 'select pg_reload_conf()')
      const isSynchronous = async () =>
        (await query('postgres', 'select sync_state from pg_stat_replication')) === 'sync' || undefined
      if (!(await poll(isSynchronous, { limitMs: hangMs, everyMs: 50 })))
        throw new Error('the replica does not follow')
      return replica
    },
    promote: async () => {
      // it waits for a replica of its own otherwise
      await run('pg_ctl', 'promote', '--wait', '--silent', `--pgdata=${folder}/data`)
    },
    remove: async () => {
      await run('pg_ctl', 'stop', '--mode=immediate', '--silent', `--pgdata=${folder}/data`).catch(() => {}) // it may have been killed
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function ownedFolder(): Promise<string> {
  const folder = mkdtempSync('/tmp/hostreeve-postgres-')
  const { uid, gid } = account()
  chownSync(folder, uid, gid)
  return folder
}

function account(): { readonly uid: number; readonly gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined) throw new Error('the package postgresql-15 is not installed')
  return { uid: Number(uid), gid: Number(gid) }
}

async function program(folder: string, name: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(`${programs}/${name}`, args, {
    ...account(),
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', name === 'pg_ctl' ? 'ignore' : 'pipe', name === 'pg_ctl' ? 'ignore' : 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout?.on('data', (text) => (output += text))
  child.stderr?.on('data', (text) => (errors += text))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${errors}`)
  return output.trim()
}
