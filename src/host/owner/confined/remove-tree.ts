import { chmodSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { failureOf, Refusal, type ByteString } from './calls.ts'
import { join, local } from './paths.ts'
import type { CallRun } from './session.ts'
import { codeOfMessage, runTool } from './tool.ts'

/** Receives the progress of a removal, and can cancel it. */
export interface Watch {
  readonly signal: AbortSignal
  readonly removed: () => void
}

const turnMs = 10
const unattended: Watch = { signal: new AbortController().signal, removed: () => {} }

/** Removes a tree for good, also if its folders have modes that forbid it, and if it is deeper than PATH_MAX. A missing tree is accepted. */
export async function removeTree(path: ByteString, watch: Watch = unattended): Promise<void> {
  try {
    await removeNode(path, { watch, since: performance.now() })
  } catch (error) {
    if (failureOf(error).code !== 'ENAMETOOLONG') throw error
    await runOn(path, ['/usr/bin/chmod', '--recursive', 'u+rwx'], watch)
    await removeDeep(path, watch)
  }
}

/** Removes a folder with rm, which descends folder by folder and needs no path for deep entries. */
export async function removeDeep(path: ByteString, watch: Watch): Promise<void> {
  const { code, message } = await runOn(path, ['/usr/bin/rm', '--recursive', '--force', '--verbose'], watch)
  if (code !== 0) throw new Refusal(codeOfMessage(message), path)
}

/** Reports from time to time that a removal makes progress, so that a long one does not count as stalled. */
export function watchOf(run: Pick<CallRun, 'signal' | 'note'>): Watch {
  let count = 0
  const removed = () => {
    if (++count % 2000 === 0) run.note({ entries: count, bytes: 0, readBytes: 0, archiveBytes: 0 })
  }
  return { signal: run.signal, removed }
}

interface Removing {
  readonly watch: Watch
  since: number
}

// Synchronous, as many small calls cost several times as much through the thread pool; other calls of the helper still run in between.
async function removeNode(path: ByteString, removing: Removing): Promise<void> {
  if (removing.watch.signal.aborted) throw new Refusal('CANCELLED', path)
  if (performance.now() - removing.since > turnMs) {
    await turn()
    removing.since = performance.now()
  }
  try {
    const found = lstatSync(local(path))
    if (found.isDirectory()) await removeFolder(path, found.mode, removing)
    else unlinkSync(local(path))
    removing.watch.removed()
  } catch (error) {
    if (failureOf(error).code !== 'ENOENT') throw error // removed in the meantime
  }
}

async function removeFolder(path: ByteString, mode: number, removing: Removing): Promise<void> {
  if ((mode & 0o700) !== 0o700) chmodSync(local(path), 0o700)
  for (const name of readdirSync(local(path), { encoding: 'latin1' }))
    await removeNode(join(path, name), removing)
  rmdirSync(local(path))
}

// By stdin, because a name may be any bytes, and Node passes arguments only as UTF-8.
function runOn(path: ByteString, command: readonly string[], { signal, removed }: Watch) {
  const onOutput = (part: Buffer) => {
    for (const byte of part) if (byte === 10) removed()
  }
  return runTool(
    'xargs',
    ['--null', '--', ...command, '--'],
    { input: Buffer.from(`./${path}\0`, 'latin1'), onOutput },
    { signal },
  )
}
