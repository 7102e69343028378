import { Problem } from '../../core/problem.ts'
import type { SqlConnection, SqlRow, SqlStatement } from '../../host/apply/steps.ts'
import { connectProblems, type SqlTarget } from '../../host/connect/index.ts'
import type { Host } from '../../host/index.ts'
import { credentialsPath, socketPath } from './layout.ts'

/** Runs statements at the admin interface. It takes no prepared statements, and reads text as SQLite does. */
export type Admin = Pick<SqlConnection, 'run'>

type Door = Pick<Host, 'connect' | 'files'>

/** Connects to the admin interface: through its socket, or the port and the account of a ProxySQL that is not set up yet. */
export function openAdmin(
  { connect, files }: Door,
  at: readonly SqlTarget['at'][] = doors,
  timeoutMs = 15_000,
): Admin {
  const connectionTo = (door: SqlTarget['at'], password: () => Promise<string> | string) =>
    connect.sql({
      ...{ name: 'ProxySQL', user: 'admin', dialect: 'sqlite' as const },
      ...{ at: door, password, timeoutMs },
    })
  const own = async () => (await readPassword(files)) ?? 'admin'
  return {
    run: async (statement) => {
      const isSetUp = (await readPassword(files)) !== undefined
      const ways = [
        ...at.map((door) => () => connectionTo(door, own).run(statement)),
        ...(isSetUp ? at.map((door) => () => connectionTo(door, () => 'admin').run(statement)) : []),
      ]
      // a program that keeps silent at one door hangs, and would at the others too
      return firstReached(ways, AbortSignal.timeout(timeoutMs / 2))
    },
  }
}

const doors: readonly SqlTarget['at'][] = [{ socketPath }, { port: 6032 }]

/** Reads the password of the local account from the file that the installation wrote; undefined if there is none. */
export const readPassword = async (files: Pick<Host['files'], 'read'>): Promise<string | undefined> =>
  /^password=(.*)$/m.exec((await files.read(credentialsPath)) ?? '')?.[1]

async function firstReached(
  ways: readonly (() => Promise<readonly SqlRow[]>)[],
  patience: AbortSignal,
): Promise<readonly SqlRow[]> {
  const [way, ...others] = ways
  if (way === undefined) throw connectProblems.NotAnswering()
  return way().catch((error: unknown) => {
    const isUnreached = error instanceof Problem && error.kind === connectProblems.NotAnswering
    if (!isUnreached || others.length === 0 || patience.aborted) throw error
    return firstReached(others, patience).catch(() => Promise.reject(error)) // the first reason is that of the door that should work
  })
}

/** A statement without values. */
export const plain = (text: string): SqlStatement => ({ parts: [text], values: [] })
