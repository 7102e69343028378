import { isUtf8 } from 'node:buffer'
import { readdir, stat } from 'node:fs/promises'
import { about, Refusal, type ByteString, type Found, type FoundRow, type SearchCall } from './calls.ts'
import { isReserved, join, local, trash, unfinished } from './paths.ts'
import { bare } from './place.ts'
import { noting } from './progress.ts'
import { runTool } from './tool.ts'
import type { CallRun } from './session.ts'

const maxLineBytes = 64 * 1024
const shownBytes = 300

/** Finds entries by their names, or lines of text files by their content; letters match in either case, links are not followed. */
export async function search(call: SearchCall, run: CallRun): Promise<Found> {
  const folder = bare(call.path)
  if (!(await stat(local(folder)).catch(about(call.path))).isDirectory()) throw new Refusal('ENOTDIR', call.path)
  const seen = { entries: 0 }
  const stop = noting(run, () => ({ entries: seen.entries, bytes: 0, readBytes: 0, archiveBytes: 0 }))
  try {
    const rows: FoundRow[] = []
    await (call.content ? searchLines(call, folder, rows, run) : searchNames(call, folder, { rows, seen, run }))
    return { rows: rows.slice(0, call.limit), cut: rows.length > call.limit }
  } finally {
    stop()
  }
}

interface Walk {
  readonly rows: FoundRow[]
  readonly seen: { entries: number }
  readonly run: CallRun
}

async function searchNames(call: SearchCall, folder: ByteString, walk: Walk): Promise<void> {
  const wanted = text(call.query).toLowerCase()
  const entries = await readdir(local(folder), { encoding: 'latin1', withFileTypes: true }).catch((error) =>
    folder === bare(call.path) ? about(folder)(error) : [],
  )
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (walk.run.signal.aborted) throw new Refusal('CANCELLED')
    if (walk.rows.length > call.limit) return
    walk.seen.entries++
    if (isReserved(entry.name)) continue
    const path = join(folder, entry.name)
    const type = entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'link' : 'other'
    if (text(entry.name).toLowerCase().includes(wanted)) walk.rows.push({ path, type })
    if (type === 'folder') await searchNames(call, path, walk)
  }
}

// The text goes by stdin: a query may begin with a dash or be long. grep itself passes binary files over.
async function searchLines(call: SearchCall, folder: ByteString, rows: FoundRow[], run: CallRun): Promise<void> {
  if (!isUtf8(Buffer.from(folder, 'latin1'))) throw new Refusal('EINVAL', call.path, 'content cannot be searched below a name that is not UTF-8')
  const enough = new AbortController()
  const lines = new Lines((line) => {
    const [path = '', rest = ''] = line.split('\0')
    const colon = rest.indexOf(':')
    rows.push({
      path: join(folder, path.replace(/^\.\//, '')),
      type: 'file',
      line: Number(rest.slice(0, colon)),
      text: text(rest.slice(colon + 1, colon + 1 + shownBytes)),
    })
    if (rows.length > call.limit) enough.abort()
  })
  const args = [
    '--recursive',
    '--binary-files=without-match',
    '--devices=skip',
    '--fixed-strings',
    '--ignore-case',
    '--line-number',
    '--null',
    '--with-filename',
    '--no-messages',
    `--exclude-dir=${trash}`,
    `--exclude-dir=${unfinished}*`,
    `--exclude=${unfinished}*`,
    '--file=-',
    '.',
  ]
  const signal = AbortSignal.any([run.signal, enough.signal])
  try {
    const { code } = await runTool(
      'grep',
      args,
      { cwd: folder === '' ? '.' : `./${text(folder)}`, input: Buffer.from(`${call.query}\n`, 'latin1'), onOutput: (part) => lines.push(part) },
      { signal },
    )
    if (code === null) throw new Refusal('EIO', call.path, 'grep could not be run')
  } catch (error) {
    if (!enough.signal.aborted) throw error
  }
}

/** Cuts output into lines; of one that is too long only the start is kept. */
class Lines {
  readonly #take: (line: ByteString) => void
  #rest = ''

  constructor(take: (line: ByteString) => void) {
    this.#take = take
  }

  push(part: Buffer): void {
    const lines = part.toString('latin1').split('\n')
    for (const [at, line] of lines.entries()) {
      this.#rest = (this.#rest + line).slice(0, maxLineBytes)
      if (at === lines.length - 1) return
      this.#take(this.#rest)
      this.#rest = ''
    }
  }
}

function text(bytes: ByteString): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
