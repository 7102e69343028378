import { readdir, readFile, readlink } from 'node:fs/promises'

const listens = '0A'

/**
 * Returns the TCP ports on which processes listen, according to the kernel; undefined without permission to
 * read them.
 */
export async function portsOf(pids: readonly number[]): Promise<ReadonlySet<number> | undefined> {
  try {
    return new Set((await Promise.all(pids.map(portsOfOne))).flat())
  } catch (error) {
    if (codeOf(error) === 'EACCES') return undefined
    throw error
  }
}

async function portsOfOne(pid: number): Promise<readonly number[]> {
  const names = await absentAs([], readdir(`/proc/${pid}/fd`))
  const links = await Promise.all(names.map((name) => absentAs('', readlink(`/proc/${pid}/fd/${name}`))))
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((table) => absentAs('', readFile(`/proc/${pid}/net/${table}`, 'utf8'))),
  )
  return tables.flatMap((table) => portsIn(table, inodes))
}

/**
 * The lines of `/proc/PID/net/tcp` (proc(5)): number, local address, remote address, state, … and the inode
 * as the tenth field.
 */
function portsIn(table: string, inodes: ReadonlySet<string>): readonly number[] {
  return table.split('\n').flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
    if (state !== listens || inode === undefined || !inodes.has(inode)) return []
    return [Number.parseInt(local!.slice(local!.lastIndexOf(':') + 1), 16)]
  })
}

/** A process, or one of its files, may disappear between being listed and being read. */
async function absentAs<Value>(absent: Value, pending: Promise<Value>): Promise<Value> {
  try {
    return await pending
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return absent
    throw error
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
