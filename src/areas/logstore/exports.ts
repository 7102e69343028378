import { Readable } from 'node:stream'
import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import type { JobRun } from '../../core/job.ts'
import type { Bytes } from '../../core/reply.ts'
import type { LinePlace, LogLine, LogQuery } from '../../tools/opensearch/index.ts'
import { job, type Logstore } from './context.ts'
import { ExportMissing, TooManyExports } from './problems.ts'
import { queryOf } from './search.ts'
import { type LogExport, LogExportDraft } from './sent-model.ts'

/** What an export holds at most; the newest lines beyond are left out. */
const mostLines = 1_000_000
const mostBytes = 1024 ** 3
const linesAtOnce = 1000
const mostExports = 20
const keptMs = 86_400_000
const mediaTypes = { csv: 'text/csv', jsonl: 'application/x-ndjson' } as const

/** Writes the lines of a search into a file that can be downloaded for a day. */
export async function startExport(
  on: Pick<Logstore, 'opensearch' | 'files' | 'exportFolder'>,
  draft: LogExportDraft,
  { caller, now }: Pick<Deciding, 'caller' | 'now'>,
): Promise<Change<{ job_id: number }>> {
  const timeTo = draft.timeTo === '' ? now.toISOString() : draft.timeTo
  const timeFrom = draft.timeFrom === '' && draft.timeTo === '' ? 'now-24h' : draft.timeFrom
  const input = { ...draft, timeFrom, timeTo }
  const { total } = await on.opensearch.search(queryOf(input), { from: 0, size: 0 })
  if ((await listExports(on)).length >= mostExports) throw TooManyExports()
  const title = `Export log lines as ${draft.format === 'csv' ? 'CSV' : 'JSON lines'}`
  return change({
    summary: title,
    jobs: [
      {
        kind: 'logstore.export',
        input,
        ownerId: caller.user.id,
        title,
        preview: async () => [`${Math.min(total, mostLines)} lines are written`],
      },
    ],
    reply: ({ jobIds }) => ({ job_id: jobIds[0] ?? 0 }),
  })
}

/** The job of an export. What it wrote is removed if it is cancelled or fails. */
export const exporting = job({
  kind: 'logstore.export',
  lane: 'files',
  input: LogExportDraft,
  timeoutMs: 3 * 3_600_000,
  attempts: 1,
  resumes: false,
  run: ({ logstore, ...run }) => writeExport(logstore, run),
})

let running = 0
let cleaning: Promise<unknown> = Promise.resolve()

async function writeExport(
  on: Logstore,
  run: Pick<JobRun<LogExportDraft>, 'input' | 'jobId' | 'signal' | 'progress'>,
) {
  const { files, exportFolder } = on
  const { format } = run.input
  if ((await listExports(on)).length >= mostExports) throw TooManyExports() // several may have waited
  await files.makeDirectory(exportFolder, { mode: 0o700 })
  running += 1
  try {
    await (running === 1 ? removeLeftovers(on) : cleaning)
    const written = { lines: 0, isCut: false }
    const filename = nameOf(new Date(), run.jobId, format)
    const source = Readable.from(contentOf(on, run, written))
    const size_bytes = await files.store(`${exportFolder}/${filename}`, source, run.signal)
    return { filename, lines: written.lines, size_bytes, is_cut: written.isCut }
  } finally {
    running -= 1
  }
}

interface Written {
  lines: number
  /** More lines match than an export holds. */
  isCut: boolean
}

async function* contentOf(
  { opensearch }: Pick<Logstore, 'opensearch'>,
  { input, signal, progress }: Pick<JobRun<LogExportDraft>, 'input' | 'signal' | 'progress'>,
  written: Written,
): AsyncGenerator<Buffer> {
  const query: LogQuery = queryOf(input)
  const { total } = await opensearch.search(query, { from: 0, size: 0 })
  const wanted = Math.min(total, mostLines)
  const textOf = input.format === 'csv' ? rowOf : objectOf
  let bytes = 0
  let after: LinePlace | undefined
  if (input.format === 'csv') yield Buffer.from(titles)
  do {
    signal.throwIfAborted()
    const size = Math.min(linesAtOnce, mostLines - written.lines)
    const page = await opensearch.pageOf(query, { after, size })
    const text = Buffer.from(page.lines.map(textOf).join(''))
    written.lines += page.lines.length
    bytes += text.length
    after = page.next
    if (text.length > 0) yield text
    const percent = wanted === 0 ? 100 : Math.min(100, Math.floor((written.lines / wanted) * 100))
    await progress(percent, `${written.lines} of ${wanted} lines`)
  } while (after !== undefined && written.lines < mostLines && bytes < mostBytes)
  written.isCut = after !== undefined && total > written.lines
}

const columns = [
  '@timestamp',
  'severity',
  'facility',
  'host',
  'program',
  'pid',
  'source',
  'source_ip',
  'message',
] as const
const titles = `${columns.join(',')}\r\n`

const objectOf = (line: LogLine): string => `${JSON.stringify(line)}\n`

/** A row of CSV (RFC 4180). */
export const rowOf = (line: LogLine): string =>
  `${columns.map((name) => cellOf(line[name] ?? '')).join(',')}\r\n`

/** A spreadsheet takes text with such a beginning for a formula, and anybody may have sent the line: it gets an apostrophe before it. */
function cellOf(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

const nameForm = /^logs-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-([1-9]\d{0,14})\.(csv|jsonl)$/

function nameOf(now: Date, jobId: number, format: LogExportDraft['format']): string {
  const time = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
  return `logs-${time}-${jobId}.${format}`
}

/** Lists the exports that can be downloaded, the newest first. */
export async function listExports({
  files,
  exportFolder,
}: Pick<Logstore, 'files' | 'exportFolder'>): Promise<LogExport[]> {
  const found: LogExport[] = []
  for (const filename of await files.list(exportFolder)) {
    const [, year, month, day, hour, minute, second, jobId] = nameForm.exec(filename) ?? []
    const facts = jobId === undefined ? undefined : await files.facts(`${exportFolder}/${filename}`)
    if (facts?.kind !== 'file') continue
    const created_at = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`
    const expires_at = new Date(Date.parse(created_at) + keptMs).toISOString()
    const { sizeBytes: size_bytes } = facts
    found.push({ filename, job_id: Number(jobId), size_bytes, created_at, expires_at })
  }
  return found.toReversed()
}

/** Opens an export to be sent. */
export async function openExport(
  { files, exportFolder }: Pick<Logstore, 'files' | 'exportFolder'>,
  filename: string,
): Promise<Bytes> {
  const isNamed = nameForm.test(filename)
  const opened = isNamed ? await files.open(`${exportFolder}/${filename}`) : undefined
  if (opened === undefined) throw ExportMissing(`there is no export ${filename}: exports are kept for a day`)
  return { ...opened, fileName: filename, mediaType: mediaTypes[filename.endsWith('.csv') ? 'csv' : 'jsonl'] }
}

/** Removes exports that are older than a day, and what a panel that was killed left of one. */
export async function removeOldExports(on: Logstore, now: Date): Promise<void> {
  for (const { filename, expires_at } of await listExports(on))
    if (Date.parse(expires_at) <= now.getTime()) await on.files.remove(`${on.exportFolder}/${filename}`)
  if (running === 0) await removeLeftovers(on)
}

/** An export that runs has a file that looks like a leftover, so none may begin meanwhile: each waits for this. */
function removeLeftovers({
  files,
  exportFolder,
}: Pick<Logstore, 'files' | 'exportFolder'>): Promise<unknown> {
  cleaning = cleaning.catch(() => {}).then(() => files.cleanLeftovers(exportFolder))
  return cleaning
}
