import { access, constants, lstat, readdir } from 'node:fs/promises'
import { about, Refusal, type ByteString } from './calls.ts'
import type { Packing } from './pack-zip.ts'
import { isReserved, join, local } from './paths.ts'
import { sevenZip } from './seven-zip.ts'
import type { CallRun } from './session.ts'
import { codeOfMessage, runTool } from './tool.ts'

// Small blocks, so that one is complete before the call counts as stalled.
const args = [
  'a',
  '-t7z',
  '-m0=lzma2:d=16m:c=16m',
  '-sae',
  '-snl',
  '-spd',
  '-y',
  '-bso0',
  '-bsp1',
  '-sccUTF-8',
]
const maxNamesBytes = 1_000_000

interface Place {
  readonly packed: ByteString
  /** The folder that names are relative to. */
  readonly cwd: string
}

/** Packs names below a folder into a new 7z archive. Links are stored as links; pipes, sockets and devices are left out. */
export async function packSevenZip(
  { base, names, seen }: Packing,
  { packed, cwd }: Place,
  run: CallRun,
): Promise<void> {
  const program = `/usr/bin/${sevenZip()}`
  const left: ByteString[] = []
  const total = { bytes: 0 }
  for (const name of names) await survey({ base, seen, total, left, run }, name)
  // Names go by stdin, which accepts any bytes.
  const message = [...left.map((name) => `-x!${name}`), '--', ...names.map((name) => name || '.')]
  const input = Buffer.from(message.map((word) => `${word}\0`).join(''), 'latin1')
  if (input.length > maxNamesBytes)
    throw new Refusal('EINVAL', undefined, 'too many names for one 7z archive: pack their folder')
  const xargs = [
    '--null',
    '--exit',
    `--max-chars=${maxNamesBytes + 100_000}`,
    '--',
    program,
    ...args,
    `${process.cwd()}/${packed}`,
  ]
  const onOutput = (part: Buffer) => {
    const percent = /(\d{1,3})%[^%]*$/.exec(part.toString('latin1'))?.[1]
    if (percent !== undefined) seen.bytes = (total.bytes * Number(percent)) / 100
  }
  const { code, message: output } = await runTool('xargs', xargs, { cwd, input, onOutput }, run)
  if (code !== 0) throw failureOfSevenZip(output, base)
}

interface Survey {
  readonly base: ByteString
  readonly seen: { entries: number }
  readonly total: { bytes: number }
  /** Entries that are left out. */
  readonly left: ByteString[]
  readonly run: CallRun
}

async function survey(looking: Survey, name: ByteString): Promise<void> {
  const { base, seen, total, left, run } = looking
  if (run.signal.aborted) throw new Refusal('CANCELLED')
  const path = name === '' ? base : join(base, name)
  if (name.includes('\n')) throw new Refusal('EINVAL', path, '7z does not support names with a line break')
  const found = await lstat(local(path)).catch(about(path))
  seen.entries++
  total.bytes += found.size
  if (found.isFile()) return access(local(path), constants.R_OK).catch(about(path)) // 7-Zip would skip it and continue
  if (found.isSymbolicLink()) return
  if (!found.isDirectory()) {
    left.push(name)
    return
  }
  for (const entry of await readdir(local(path), { encoding: 'latin1' }).catch(about(path))) {
    if (isReserved(entry)) left.push(join(name, entry))
    else await survey(looking, join(name, entry))
  }
}

// `WARNING: errno=13 : Permission denied` and the name on the next line, or `ERROR:` and the reason on the next lines.
function failureOfSevenZip(output: string, base: ByteString): Refusal {
  const [, why, name] = /errno=\d+ : ([^\n]*)\n([^\n]+)/.exec(output) ?? []
  if (why !== undefined && name !== undefined)
    return new Refusal(codeOfMessage(why), join(base, name.replace(/\/+$/, '')), why)
  const lines = output.split('\n').map((line) => line.trim())
  const message = lines
    .filter((line) => line !== '' && !/^(ERROR|WARNING|System ERROR):$/.test(line))
    .slice(0, 3)
  return new Refusal(
    codeOfMessage(output),
    undefined,
    `7-Zip: ${message.join(', ') || 'it failed without a message'}`,
  )
}
