import type { Readable } from 'node:stream'
import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import { NotFound } from '../../../core/problem.ts'
import type { HistoryRecorder } from '../history/history-recorder.ts'
import { counted } from '../count-text.ts'
import type { TextPath } from '../paths.ts'
import { found, type OwnerOf } from '../steps/files.ts'
import { ChecksumWrong, OffsetWrong } from './problems.ts'
import type { UploadQueries, UploadRow } from './store.ts'
import type { TakeoverRun, UploadTakeover } from './upload-takeover.ts'

/** Time after which an upload without a new part expires. */
export const idleMs = 24 * 3_600_000

interface UploadArgs {
  readonly username: string
  readonly name: string
  readonly path: TextPath
}

interface OpenArgs extends UploadArgs {
  readonly sizeBytes: number
}

export interface PartArgs extends UploadArgs {
  readonly id: number
  readonly offset: number
  readonly sha256?: string
  /** True if an existing file is replaced regardless of the conditions at the opening of the upload. */
  readonly overwrite: boolean
}

interface Doors {
  readonly ownerOf: OwnerOf
  readonly queries: UploadQueries
  readonly takeover: UploadTakeover
  readonly recorder: HistoryRecorder
}

type OpenParts = Awaited<ReturnType<typeof partsOf>>

/** Returns the steps of uploads in parts. The received bytes of an interrupted part stay; all other effects are atomic. */
export function uploadSteps(doors: Doors) {
  return { openUpload: open(doors), uploadPart: part(doors), cancelUpload: cancel(doors) }
}

/** Opens the hidden file that receives the parts of an upload. */
export async function partsOf(ownerOf: OwnerOf, { username, name, path }: UploadArgs) {
  return (await ownerOf(username)).uploads.of(name, path)
}

function open({ ownerOf }: Doors): StepKind<OpenArgs, null, void> {
  return {
    name: 'filemanager.open-upload',
    plan: ({ username, path, sizeBytes }) => ({
      title: `Make room for ${sizeBytes} bytes of ${path.path} in the home of ${username}`,
    }),
    preview: async (args) => ({ details: await previewOpening(ownerOf, args) }),
    observe: async () => null,
    act: async (args) => (await partsOf(ownerOf, args)).open(args.sizeBytes),
    undo: async (args) => (await partsOf(ownerOf, args)).cut(),
    notUndone: 'cancel the upload instead',
    check: async (args) => ((await (await partsOf(ownerOf, args)).look()).isOpen ? 'wanted' : 'before'),
  }
}

async function previewOpening(ownerOf: OwnerOf, args: OpenArgs): Promise<readonly string[]> {
  const { path, sizeBytes } = args
  const owner = await ownerOf(args.username)
  const { free } = await (await partsOf(ownerOf, args)).look(sizeBytes)
  await owner.preview((one) => one.uploads.of(args.name, path).open(sizeBytes))
  const existing = await found(owner, path)
  const then =
    existing === undefined
      ? `makes ${path.path}`
      : `replaces ${path.path} of ${counted(existing.size_bytes, 'byte')}, which the history keeps as far as its limits go`
  return [
    `Begins a hidden file for ${counted(sizeBytes, 'byte')}; the disk has room for ${counted(free, 'byte')}`,
    `Nothing else changes before the last part is there, which ${then}`,
    `What was received is removed when no part comes for ${idleMs / 3_600_000} hours`,
  ]
}

function cancel({ ownerOf, takeover }: Doors): StepKind<UploadArgs & { readonly id: number }, null, void> {
  return finalStep({
    name: 'filemanager.cancel-upload',
    plan: ({ username, path }) => ({
      title: `Remove what was received of ${path.path} from the home of ${username}`,
    }),
    why: 'what was received is gone for good',
    act: (args, { signal }) =>
      takeover.take(args.id, signal, async () => (await partsOf(ownerOf, args)).cut()),
    isDone: async (args) => ((await (await partsOf(ownerOf, args)).size()) === 0 ? true : undefined),
  })
}

const staysReceived =
  'what was received stays until the upload is cancelled, and the file takes its place when it is whole'

function part(doors: Doors): StepKind<PartArgs, { readonly size: number } | null, UploadRow, Readable> {
  const { ownerOf, queries, takeover } = doors
  return {
    name: 'filemanager.upload-part',
    plan: ({ username, path, offset }) => ({
      title: `Receive ${path.path} of ${username} from byte ${offset} on`,
      irreversible: staysReceived,
    }),
    notUndone: staysReceived,
    observe: async (args) =>
      args.sha256 === undefined ? null : { size: await (await partsOf(ownerOf, args)).size() },
    act: (args, { live, signal }) =>
      takeover.take(args.id, signal, async (run) => {
        const row = await rowOf(queries, args.id)
        return row.state === 'done' ? row : receive(doors, { args, row, live, run })
      }),
    // Only a part with a checksum that was not yet verified is removed.
    undo: async (args, before) => {
      if (before?.size !== args.offset) return
      const row = await queries.byId(args.id)
      if (row?.state === 'open' && row.firm_bytes <= args.offset)
        await (await partsOf(ownerOf, args)).cut(args.offset)
    },
    check: async (args) => ((await isPlaced(doors, args)) ? 'wanted' : 'other'),
  }
}

interface Receiving {
  readonly args: PartArgs
  readonly row: UploadRow
  readonly live: Readable
  readonly run: TakeoverRun
}

async function receive(doors: Doors, { args, row, live, run }: Receiving): Promise<UploadRow> {
  const { queries } = doors
  const { id, size_bytes: whole } = row
  const { offset, sha256 } = args
  const parts = await partsOf(doors.ownerOf, args)
  const { outcome, size } = await parts
    .append(live, {
      offset,
      maxBytes: whole - offset,
      ...(sha256 !== undefined && { sha256 }),
      signal: run.signal,
    })
    .finally(() => queries.extend(id, new Date(Date.now() + idleMs)))
  if (size > whole) await parts.cut() // the owner wrote to it: none of its content can be trusted
  if (outcome === 'offset') throw elsewhere(row, offset, size)
  if (outcome === 'checksum')
    throw ChecksumWrong(
      `sha256: the part from byte ${offset} does not match the checksum and was discarded`,
      {
        fields: { offset_bytes: offset },
      },
    )
  await queries.firm(id, size)
  if (size >= whole) {
    run.finishing()
    await finish(doors, row, args, parts)
  }
  return rowOf(queries, id)
}

async function finish(
  { queries, recorder }: Doors,
  row: UploadRow,
  { path, overwrite, offset }: PartArgs,
  parts: OpenParts,
): Promise<void> {
  const { outcome, size, etag } = await parts.seal(
    row.size_bytes,
    row.sha256 === null ? {} : { sha256: row.sha256 },
  )
  if (outcome === 'offset') throw elsewhere(row, offset, size)
  if (outcome === 'checksum')
    throw ChecksumWrong(`sha256: the whole file does not match the checksum and was discarded`, {
      fields: { offset_bytes: 0 },
    })
  await queries.seal(row.id, etag)
  const minds = { ...(row.if_match !== null && { ifMatch: row.if_match }), ifAbsent: row.overwrite === 0 }
  const { username, user_id: by } = row
  const file = await recorder.replacing({ username, path, by, through: 'upload' }, () =>
    parts.place(overwrite ? {} : minds),
  )
  await queries.finish(row.id, file)
}

function elsewhere({ size_bytes: whole }: UploadRow, offset: number, onDisk: number): Error {
  const offset_bytes = onDisk > whole ? 0 : onDisk
  return OffsetWrong(`offset: the next part begins at byte ${offset_bytes}, not at ${offset}`, {
    fields: { offset_bytes },
  })
}

/** Returns true if the panel was killed after it placed the file and before it recorded that. A rename changes only the last field of an etag. */
async function isPlaced({ ownerOf, queries }: Doors, args: PartArgs): Promise<boolean> {
  const row = await queries.byId(args.id)
  if (row === undefined || row.sealed_etag === null) return row?.state === 'done'
  if (row.state === 'done') return true
  const owner = await ownerOf(args.username)
  const existing = await found(owner, args.path)
  const same = (etag: string) => etag.split('-').slice(0, -1).join()
  if (existing === undefined || same(existing.etag) !== same(row.sealed_etag)) return false
  await queries.finish(row.id, {
    etag: existing.etag,
    size: existing.size_bytes,
    created: row.overwrite === 0,
  })
  return true
}

async function rowOf(queries: UploadQueries, id: number): Promise<UploadRow> {
  const row = await queries.byId(id)
  if (row === undefined) throw NotFound(`id: upload ${id} no longer exists`)
  return row
}
