import { lstatSync, readdirSync, statSync, type Stats } from 'node:fs'
import { chmod, mkdir, rm, utimes } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { about, Refusal, type ByteString, type Copied } from './calls.ts'
import { isReserved, join, local, parentOf, unfinished } from './paths.ts'
import { isLocked } from './stat.ts'
import { codeOfMessage, runTool } from './tool.ts'
import type { CallRun } from './session.ts'

/** The result of the scan before a copy, and its progress. */
export interface Copying {
  entries: number
  copied: number
  skipped: number
  smallBytes: number
  readonly large: { readonly name: ByteString; readonly size: number }[]
  /** Paths below the source that are not copied. */
  readonly left: ByteString[]
  /** Entries whose mode and time we set: cp cannot or should not set them, or we change them again. */
  readonly dressed: Map<ByteString, Stats>
}

const largeBytes = 32 * 1024 * 1024
const turnMs = 10
// Everything but the owner: modes, ACLs, extended attributes where the file system supports them, times, holes, and hard links within the tree.
const cp = [
  '/usr/bin/cp',
  '--recursive',
  '--no-dereference',
  '--no-target-directory',
  '--preserve=all',
  '--no-preserve=ownership',
  '--reflink=auto',
  '--sparse=auto',
  '--verbose',
  '--',
]

// Devices are not copied.
const harmless = "/usr/bin/cp: cannot create special file '"

/** Scans everything that a copy will reach; refuses locked entries if the original is to be removed afterwards. */
export async function survey(from: ByteString, isToGo: boolean, run: CallRun): Promise<Copying> {
  const copying: Copying = {
    entries: 0,
    copied: 0,
    skipped: 0,
    smallBytes: 0,
    large: [],
    left: [],
    dressed: new Map(),
  }
  let since = performance.now()
  for (const met of walk(from, '')) {
    if (performance.now() - since > turnMs) {
      await turn()
      since = performance.now()
    }
    if (run.signal.aborted) throw new Refusal('CANCELLED')
    if (isToGo && !met.found.isSymbolicLink() && isLocked(met.path)) throw new Refusal('LOCKED', met.path)
    take(copying, met)
  }
  return copying
}

/** Copies a tree to a new destination with cp. */
export async function copyTree(
  from: ByteString,
  to: ByteString,
  copying: Copying,
  run: CallRun,
): Promise<void> {
  const onOutput = (part: Buffer) => {
    for (const byte of part) if (byte === 10) copying.copied++
  }
  await makeClosed(to, copying)
  // By stdin, because a name may be any bytes, and Node passes arguments only as UTF-8.
  const input = Buffer.from(`./${from}\0./${to}\0`, 'latin1')
  const { code, message } = await runTool('xargs', ['--null', '--', ...cp], { input, onOutput }, run)
  const complaint = message.split('\n').find((line) => line !== '' && !line.startsWith(harmless))
  if (code !== 0 && complaint !== undefined) throw refusalOf(complaint, from, to)
  for (const name of copying.left) await removeLeft(to, name)
  const touched = new Set(copying.left.map(parentOf))
  for (const [name, found] of [...copying.dressed].toReversed()) {
    await chmod(local(below(to, name)), found.mode & 0o1777)
    if (touched.has(name)) await utimes(local(below(to, name)), found.atimeMs / 1000, found.mtimeMs / 1000)
  }
}

// cp cannot fill a folder that it created with a mode that forbids it: to make it accessible cp would need /proc, which is not mounted here.
async function makeClosed(to: ByteString, { dressed }: Copying): Promise<void> {
  for (const [name, found] of dressed)
    if (found.isDirectory() && (found.mode & 0o700) !== 0o700)
      await mkdir(local(below(to, name)), { recursive: true, mode: 0o700 })
}

// The parent already has its final mode, and gets it again afterwards.
async function removeLeft(to: ByteString, name: ByteString): Promise<void> {
  const folder = below(to, parentOf(name))
  if ((lstatSync(local(folder)).mode & 0o700) !== 0o700) await chmod(local(folder), 0o700)
  await rm(local(join(to, name)), { recursive: true, force: true })
}

// cp names our temporary file; the failure is about the folder that contains it, so only the last part of the message is used.
function refusalOf(complaint: string, from: ByteString, to: ByteString): Refusal {
  const code = codeOfMessage(complaint)
  if (!complaint.includes(unfinished)) return new Refusal(code, namedIn(complaint) ?? from, complaint)
  return new Refusal(code, parentOf(to), complaint.split(': ').at(-1))
}

/** The amount copied so far. */
export function progressOf({ entries, copied, skipped, smallBytes, large }: Copying, to: ByteString): Copied {
  const part = entries === 0 ? 0 : Math.min(1, copied / entries)
  const largeSoFar = large
    .slice(0, 500)
    .reduce(
      (sum, { name }) => sum + (statSync(local(below(to, name)), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
  return { entries: Math.min(copied, entries), bytes: Math.round(smallBytes * part) + largeSoFar, skipped }
}

/** The size of the whole copy. */
export function totalOf({ entries, skipped, smallBytes, large }: Copying): Copied {
  return { entries, bytes: smallBytes + large.reduce((sum, { size }) => sum + size, 0), skipped }
}

function take(copying: Copying, { name, found, parent }: Met): void {
  const isKnown = found.isDirectory() || found.isFile() || found.isSymbolicLink()
  const isOurs = isReserved(name.slice(name.lastIndexOf('/') + 1))
  if (!isKnown || isOurs) {
    if (!isOurs) copying.skipped++
    copying.left.push(name)
    return void copying.dressed.set(parentOf(name), parent)
  }
  copying.entries++
  const isClosed = found.isDirectory() && (found.mode & 0o700) !== 0o700
  if (isClosed || (!found.isSymbolicLink() && (found.mode & 0o6000) !== 0)) copying.dressed.set(name, found)
  if (!found.isFile()) return
  if (found.size > largeBytes) copying.large.push({ name, size: found.size })
  else copying.smallBytes += found.size
}

interface Met {
  readonly name: ByteString
  readonly path: ByteString
  readonly found: Stats
  readonly parent: Stats
}

function* walk(from: ByteString, name: ByteString, parent?: Stats): Generator<Met> {
  const path = below(from, name)
  const found = trying(path, () => lstatSync(local(path)))
  yield { name, path, found, parent: parent ?? found }
  if (!found.isDirectory() || isReserved(name.slice(name.lastIndexOf('/') + 1))) return
  for (const entry of trying(path, () => readdirSync(local(path), { encoding: 'latin1' })))
    yield* walk(from, join(name, entry), found)
}

function below(folder: ByteString, name: ByteString): ByteString {
  return name === '' ? folder : join(folder, name)
}

function trying<T>(path: ByteString, work: () => T): T {
  try {
    return work()
  } catch (error) {
    return about(path)(error)
  }
}

// cp quotes a file as 'name'; one with unusual characters is quoted differently, and then the whole source is named.
function namedIn(complaint: string): ByteString | undefined {
  const name = /'\.\/([^']+)'/.exec(complaint)?.[1]
  return name
}
