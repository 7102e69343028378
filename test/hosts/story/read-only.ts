import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Host } from '../harness/index.ts'

/** A request of an agent. */
export interface Operation {
  readonly method: string
  readonly path: string
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses?: object }>>>>
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** The operations of the API, each with ids that exist; without streams, which last until the caller leaves. */
export function operationsOf(document: unknown, userId: number): readonly Operation[] {
  const { paths } = document as Document
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method, operation]) => methods.has(method) && !isStream(operation))
      .map(([method]) => ({
        method: method.toUpperCase(),
        path: path.replaceAll('{uid}', String(userId)).replaceAll(/\{\w+\}/g, '1'),
      })),
  )
}

const isStream = (operation: object): boolean => JSON.stringify(operation).includes('text/event-stream')

const folders = ['/etc', '/home', '/root', '/srv', '/usr/local', '/var/www', '/var/spool', '/var/lib']
/** What the panel writes of each request, which is that it was made, and what its background writes meanwhile. */
const ofOthers = /^(activity.*|mcp_usage|sequences|sign_in_addresses|notice_keys|notifications)$/

const storeOf = (host: Host): string => join(host.rootPath, 'var/lib/hostreeve/hostreeve.db')

/** Keeps the panel of a host from enqueuing scheduled work, as it reads the schedules anew each time. */
export function stopSchedules(host: Host): void {
  const store = new DatabaseSync(storeOf(host), { timeout: 60_000 })
  try {
    store.exec('update schedules set is_enabled = 0')
  } finally {
    store.close()
  }
}

/** What a host has: the rows of the panel, and the paths, modes and contents of files. */
export async function factsOf(host: Host): Promise<Readonly<Record<string, string>>> {
  return { ...rowsOf(storeOf(host)), files: await filesOf(host) }
}

async function filesOf(host: Host): Promise<string> {
  const there = ['find', ...folders, '-path', '/var/lib/hostreeve', '-prune', '-o']
  const { stdout: listed } = await host.exec([...there, '-printf', '%p %y %m %U:%G %T@ %l\n'] as never)
  return listed.split('\n').toSorted().join('\n')
}

/** A digest of the rows of each table. */
function rowsOf(path: string): Readonly<Record<string, string>> {
  const store = new DatabaseSync(path, { readOnly: true })
  try {
    const tables = store.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
    const names = tables.map(({ name }) => String(name)).filter((name) => !ofOthers.test(name))
    return Object.fromEntries(
      names.map((name) => {
        const rows = store.prepare(`SELECT * FROM "${name}"`).all()
        const text = rows.map(({ last_used: _used, ...row }) => JSON.stringify(row)).toSorted()
        return [name, createHash('sha256').update(text.join('\n')).digest('hex')]
      }),
    )
  } finally {
    store.close()
  }
}
