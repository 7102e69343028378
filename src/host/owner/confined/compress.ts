import { isUtf8 } from 'node:buffer'
import { link, lstat, mkdir, open, stat } from 'node:fs/promises'
import { about, failureOf, Refusal, type ByteString, type CompressCall } from './calls.ts'
import { packTar } from './pack-tar.ts'
import { join, local, parentOf, trash, unfinished, unfinishedName } from './paths.ts'
import { bare } from './place.ts'
import { noting } from './progress.ts'
import { removeTree } from './remove-tree.ts'
import { codeOfWords, runTool } from './tool.ts'
import type { CallRun } from './session.ts'

const maxSuffix = 9999

/** Packs paths into an archive that appears at the top of the home when it is whole, under the first name that is free. */
export async function compressPaths(call: CompressCall, run: CallRun): Promise<{ suffix: number; bytes: number }> {
  const paths = call.paths.map(bare)
  for (const [at, path] of paths.entries()) await lstat(local(path)).catch(about(call.paths[at] ?? path))
  const scratch = unfinishedName()
  const packed = join(scratch, call.format === 'zip' ? 'archive.zip' : 'archive')
  const seen = { entries: 0, bytes: 0 }
  const look = setInterval(
    () =>
      void stat(local(packed)).then(
        (found) => {
          seen.bytes = found.size
        },
        () => {},
      ),
    500,
  ) // not there yet
  const stop = noting(run, () => ({ ...seen, readBytes: 0, archiveBytes: seen.bytes }))
  try {
    await mkdir(local(scratch), { mode: 0o700 })
    const base = baseOf(paths)
    const names = paths.map((path) => `./${path.slice(base === '' ? 0 : base.length + 1)}`)
    const packing = { names, packed, cwd: base === '' ? '.' : `./${Buffer.from(base, 'latin1').toString()}`, seen }
    await (call.format === 'zip' ? packZip(packing, run) : packTar(packing, call.format, run))
    await sync(packed)
    return { suffix: await place(packed, call.archive), bytes: (await lstat(local(packed))).size }
  } finally {
    clearInterval(look)
    stop()
    await removeTree(scratch)
  }
}

interface Packing {
  readonly names: readonly ByteString[]
  readonly packed: ByteString
  readonly cwd: string
  readonly seen: { entries: number }
}

/** The folder that holds all paths: names in the archive begin below it. One that is not UTF-8 cannot be a working folder, so the home is. */
function baseOf(paths: readonly ByteString[]): ByteString {
  const [first = '', ...rest] = paths.map(parentOf)
  let base = first
  while (base !== '' && !rest.every((folder) => folder === base || folder.startsWith(`${base}/`))) base = parentOf(base)
  return isUtf8(Buffer.from(base, 'latin1')) ? base : ''
}

async function packZip({ names, packed, cwd, seen }: Packing, run: CallRun): Promise<void> {
  const broken = names.find((name) => name.includes('\n'))
  if (broken !== undefined) throw new Refusal('EINVAL', broken.slice(2), 'zip takes no name with a line break')
  let last = ''
  const onOutput = (part: Buffer) => {
    last = (last + part.toString('latin1')).slice(-1000)
    for (const byte of part) if (byte === 10) seen.entries++
  }
  const archive = `${process.cwd()}/${packed}`
  const args = ['--recurse-paths', '--symlinks', '--names-stdin', archive, '--exclude', `${unfinished}*`, `*/${unfinished}*`, `${trash}/*`]
  const { code, words } = await runTool('zip', args, { cwd, input: Buffer.from(names.map((name) => `${name}\n`).join(''), 'latin1'), onOutput }, run)
  if (code !== 0) throw new Refusal(codeOfWords(words + last), undefined, zipWords(words, code)) // zip tells some failures on stdout
}

function zipWords(words: string, code: number | null): string {
  return (
    words
      .split('\n')
      .find((line) => line.includes('warning') || line.includes('error'))
      ?.trim() ?? `zip ended with ${code}`
  )
}

async function sync(path: ByteString): Promise<void> {
  await using file = await open(local(path), 'r')
  await file.chmod(0o644)
  await file.sync()
}

// A second name is given only where none stands, unlike by rename: what appears meanwhile is never replaced.
async function place(packed: ByteString, archive: ByteString): Promise<number> {
  for (let suffix = 0; suffix <= maxSuffix; suffix++) {
    try {
      await link(local(packed), local(suffix === 0 ? archive : `${archive}.${suffix}`))
      return suffix
    } catch (error) {
      if (failureOf(error).code !== 'EEXIST') return about(archive)(error)
    }
  }
  throw new Refusal('EEXIST', archive, `so are its names up to .${maxSuffix}`)
}
