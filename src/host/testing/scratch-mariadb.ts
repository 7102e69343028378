import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { poll } from '../../core/poll.ts'
import { connectSql, type SqlTarget } from '../connect/sql.ts'
import { openFiles } from '../files.ts'
import { openAccounts } from '../accounts.ts'
import { sql } from '../apply/steps.ts'
import { run } from '../run.ts'

/** A MariaDB of its own, in a temporary folder, which root may use through its socket. */
export interface ScratchMariadb {
  readonly target: SqlTarget
  readonly socketPath: string
  stop(): Promise<void>
}

/** Starts MariaDB; needs root and the package mariadb-server. With a binary log, the rights to create triggers are stricter. */
export async function startMariadb(
  options: {
    readonly hasBinaryLog?: boolean
    readonly port?: number
    readonly args?: readonly string[]
  } = {},
): Promise<ScratchMariadb> {
  const folder = mkdtempSync('/tmp/hostreeve-mariadb-')
  const account = await openAccounts(run, openFiles('/')).find('mysql')
  if (account === undefined) throw new Error('the package mariadb-server is not installed')
  chownSync(folder, account.uid, account.gid)
  // a server that starts removes the temporary tables of others from a folder that they share
  const common = ['--no-defaults', `--datadir=${folder}/data`, `--tmpdir=${folder}`, '--user=mysql']
  const made = await run(
    ['mariadb-install-db', ...common, '--auth-root-authentication-method=normal', '--skip-test-db'],
    { timeoutMs: 120_000 },
  )
  if (made.code !== 0) throw new Error(made.stderr || made.stdout)
  const socketPath = `${folder}/server.sock`
  const server = spawn(
    'mariadbd',
    [
      ...common,
      ...(options.port === undefined
        ? ['--skip-networking']
        : [`--port=${options.port}`, '--bind-address=127.0.0.1']),
      `--socket=${socketPath}`,
      '--innodb-buffer-pool-size=8M',
      options.hasBinaryLog === true ? '--log-bin=bin' : '--skip-log-bin',
      ...(options.args ?? []),
    ],
    { stdio: 'ignore' },
  )
  const target = { name: 'MariaDB', at: { socketPath }, user: 'root' }
  const isReady = await poll(() => answers(target), { limitMs: 60_000, everyMs: 100 })
  if (!isReady) throw new Error('MariaDB did not start')
  return { target, socketPath, stop: () => stop(server, folder) }
}

const answers = (target: SqlTarget) =>
  connectSql(target)
    .run(sql`select 1`)
    .then(
      () => true as const,
      () => undefined,
    )

async function stop(server: ChildProcess, folder: string): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGKILL')
  await ended
  rmSync(folder, { recursive: true, force: true })
}
