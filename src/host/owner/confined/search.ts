import { readdir, stat } from 'node:fs/promises'
import { about, Refusal, type ByteString, type FoundRow, type SearchCall } from './calls.ts'
import { globMatcher } from './glob.ts'
import { isReserved, join, local } from './paths.ts'
import { bare } from './place.ts'
import { searchLines } from './search-lines.ts'
import { RowStream } from './search-rows.ts'
import type { CallRun } from './session.ts'

/** Finds entries by their names, or lines of text files by their content, and sends each as soon as it is found. Links are not followed. */
export async function search(call: SearchCall, run: CallRun): Promise<void> {
  const folder = bare(call.path)
  if (!(await stat(local(folder)).catch(about(call.path))).isDirectory())
    throw new Refusal('ENOTDIR', call.path)
  if (!call.content) await readdir(local(folder), { encoding: 'latin1' }).catch(about(call.path))
  run.head({})
  const rows = new RowStream(run, call.limit)
  const signal = AbortSignal.any([run.signal, rows.enough])
  try {
    const add = (row: FoundRow) => rows.add(row)
    if (call.content) await searchLines(call, folder, { add, signal })
    else await searchNames(folder, { isWanted: nameTest(call), add, signal })
  } catch (error) {
    if (!rows.enough.aborted || run.signal.aborted) {
      rows.stop()
      throw error
    }
  }
  await rows.end()
}

interface Walk {
  readonly isWanted: (name: ByteString) => boolean
  readonly add: (row: FoundRow) => void
  readonly signal: AbortSignal
}

async function searchNames(folder: ByteString, walk: Walk): Promise<void> {
  const entries = await readdir(local(folder), { encoding: 'latin1', withFileTypes: true }).catch(() => []) // no read access, or removed in the meantime
  for (const entry of entries) {
    if (isReserved(entry.name)) continue
    if (walk.signal.aborted) throw new Refusal('CANCELLED')
    const path = join(folder, entry.name)
    const type = entry.isDirectory()
      ? 'folder'
      : entry.isFile()
        ? 'file'
        : entry.isSymbolicLink()
          ? 'link'
          : 'other'
    if (walk.isWanted(entry.name)) walk.add({ path, type })
    if (type === 'folder') await searchNames(path, walk)
  }
}

function nameTest({ query, glob, matchCase }: SearchCall): (name: ByteString) => boolean {
  const folded = (bytes: ByteString) => {
    const name = Buffer.from(bytes, 'latin1').toString('utf8')
    return matchCase ? name : name.toLowerCase()
  }
  const wanted = folded(query)
  const test = glob ? globMatcher(wanted) : (name: string) => name.includes(wanted)
  return (name) => test(folded(name))
}
