import { spawnSync } from 'node:child_process'
import { mkdir, readFile, readdir, rm } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../../../src/host/run.ts'
import { cacheFolder, withLock } from './cache.ts'
import { emptyCgroup, makeCgroup, removeCgroup } from './cgroup.ts'
import { must } from './outer.ts'
import { makeSwitch, removeNamespaces } from './network.ts'
import { poll } from './poll.ts'

/** The folder, switch and control group that the hosts of one process share; removed with its last host. */
export interface TestRun {
  readonly folder: string
  /** Prefix of every network namespace and control group of this run. */
  readonly prefix: string
}

let current: Promise<TestRun> | undefined

/** Gives this process its run, after removing what dead processes left behind. */
export function openRun(): Promise<TestRun> {
  current ??= open()
  return current
}

/** Removes this process's run with everything in it. */
export async function closeRun(): Promise<void> {
  if (current === undefined) return
  const { folder } = await current
  current = undefined
  await removeRun(folder)
}

/** Removes the runs of dead processes; returns their number. */
export async function sweepDeadRuns(): Promise<number> {
  return withLock('sweep', 300_000, async () => {
    const names = await readdir(runsFolder()).catch(() => [])
    const dead = names.filter((name) => !isAlive(name))
    for (const name of dead) await removeRun(join(runsFolder(), name))
    return dead.length
  })
}

/** Ends every process of a run and removes its mounts, namespaces, control groups and files, in this order. */
export async function removeRun(folder: string): Promise<void> {
  const prefix = prefixOf(basename(folder))
  await emptyCgroup(prefix)
  await unmountBelow(folder)
  await removeNamespaces(prefix)
  await removeCgroup(prefix)
  await run(['chattr', '-R', '-f', '-i', '-a', folder], { timeoutMs: 60_000 }) // hosts may have made files immutable
  await rm(folder, { recursive: true, force: true })
}

/** Unmounts everything mounted at or below the folder, the latest first. */
export async function unmountBelow(folder: string): Promise<void> {
  const table = await readFile('/proc/self/mountinfo', 'utf8')
  const points = table.split('\n').map((line) => line.split(' ')[4] ?? '')
  const below = points.filter((point) => point === folder || point.startsWith(`${folder}/`))
  // A process killed a moment ago may still hold files there.
  for (const point of below.toReversed())
    await poll(`${point} to be free`, 60_000, async () =>
      (await run(['umount', point])).code === 0 ? true : undefined,
    )
}

async function open(): Promise<TestRun> {
  await sweepDeadRuns()
  const name = `${process.pid}-${startTime(process.pid)}`
  const folder = join(runsFolder(), name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  sweepAtExit(folder)
  // Shared, so that unmounting one host's disk reaches the mount namespaces of the others and frees it.
  await must(['mount', '--bind', folder, folder])
  await must(['mount', '--make-private', folder])
  await must(['mount', '--make-shared', folder])
  const prefix = prefixOf(name)
  await makeCgroup(prefix)
  await makeSwitch(prefix)
  return { folder, prefix }
}

let isSwept = false

// A process that ends without removing its hosts, by a signal or a forgotten remove, still leaves nothing behind.
function sweepAtExit(folder: string): void {
  if (isSwept) return
  isSwept = true
  const program = fileURLToPath(new URL('remove-run.ts', import.meta.url))
  process.once('exit', () => {
    if (existsSync(folder))
      spawnSync(process.execPath, [program, folder], {
        stdio: ['ignore', 'ignore', 'inherit'],
        timeout: 60_000,
      })
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
}

function runsFolder(): string {
  return join(cacheFolder(), 'runs')
}

function prefixOf(name: string): string {
  return `hostreeve-${name}`
}

function isAlive(name: string): boolean {
  const [pid = '', started] = name.split('-')
  return startTime(Number(pid)) === started
}

// Field 22 of /proc/PID/stat: with it a process id that was given out again is not mistaken for the owner.
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined // no such process
  }
}
