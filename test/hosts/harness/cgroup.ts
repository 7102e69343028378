import { mkdir, readFile, readdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { poll } from './poll.ts'

/** Creates a control group (version 2) and returns its folder. */
export async function makeCgroup(path: string): Promise<string> {
  const folder = join(await hierarchy(), path)
  await mkdir(folder, { recursive: true })
  return folder
}

/** Kills every process in a control group and below, and waits until they are gone. */
export async function emptyCgroup(path: string): Promise<void> {
  const folder = join(await hierarchy(), path)
  await poll(`the processes of ${folder} to end`, 60_000, async () => {
    const pids = await processesBelow(folder)
    for (const pid of pids) kill(pid)
    return pids.length === 0 ? true : undefined
  })
}

/** Removes an empty control group and those below it. */
export async function removeCgroup(path: string): Promise<void> {
  const folder = join(await hierarchy(), path)
  for (const below of (await foldersBelow(folder)).toReversed()) await rmdir(below)
}

/** The processes in a control group and below it. */
export async function processesBelow(folder: string): Promise<number[]> {
  const pids: number[] = []
  for (const below of await foldersBelow(folder)) {
    const text = await readFile(join(below, 'cgroup.procs'), 'utf8').catch(() => '') // removed meanwhile: nothing in it
    pids.push(...text.split('\n').filter(Boolean).map(Number))
  }
  return pids
}

/** Where control groups of version 2 are mounted on this machine. */
export async function hierarchy(): Promise<string> {
  const mounts = await readFile('/proc/self/mounts', 'utf8')
  const found = mounts.split('\n').find((line) => line.split(' ')[2] === 'cgroup2')
  if (found === undefined) throw new Error('test hosts need a mounted cgroup2 hierarchy')
  return found.split(' ')[1] ?? ''
}

/** Lets the groups below `folder` limit memory, processes and CPU, where this machine offers those controllers in version 2. */
export async function delegateControllers(folder: string): Promise<void> {
  const offered = await readFile(join(folder, 'cgroup.controllers'), 'utf8')
  const wanted = offered
    .trim()
    .split(' ')
    .filter((name) => ['memory', 'pids', 'cpu', 'io'].includes(name))
  if (wanted.length > 0)
    await writeFile(join(folder, 'cgroup.subtree_control'), wanted.map((name) => `+${name}`).join(' '))
}

// Parents before their children.
async function foldersBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) return []
  const below = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map((entry) => foldersBelow(join(folder, entry.name))),
  )
  return [folder, ...below.flat()]
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // ended since it was listed
  }
}
