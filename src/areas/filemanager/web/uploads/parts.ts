import { run } from '../../../../web/client.ts'
import { ApiError } from '../../../../web/wire.ts'
import { filemanager } from '../api.ts'
import { pathFrom, wirePath } from '../names.ts'
import { joinPath } from '../paths.ts'
import type { PartialUpload, Whose } from '../queries.ts'
import { fingerprintOf, sha256Of } from './fingerprint.ts'
import { forgetUpload, noteUpload, notes } from './notes.ts'
import { sendBytes } from './send.ts'

/** A file and its destination. */
export interface FileToSend {
  readonly whose: Whose
  readonly file: File
  readonly folder: string
  readonly name: string
  readonly overwrite: boolean
  readonly onSent: (bytes: number) => void
  /** Receives the panel's id of the chunked upload. */
  readonly onOpened: (id: number) => void
  /** Receives the reason for a stall, and an empty text when sending resumes. */
  readonly onTrouble: (text: string) => void
  readonly signal: AbortSignal
}

/** Files of at least this size are sent in parts, so that a lost connection costs one part at most. */
export const partsFromBytes = 8 * 1024 * 1024
const mostFailures = 6
const firstPauseMs = 1000

/**
 * Sends a file, a small one as a whole and a large one in parts; resumes an earlier attempt with the same
 * file.
 */
export async function sendFile(sending: FileToSend): Promise<void> {
  if (sending.file.size >= partsFromBytes) return sendInParts(sending)
  const { whose, file, folder, name, overwrite, onSent, signal } = sending
  await sendBytes({
    call: filemanager.uploadFile({ query: { ...whose, ...wirePath(folder), name, overwrite } }),
    bytes: file,
    onSent,
    signal,
  })
}

/** DELETE /filemanager/upload/{id}: discards the received parts. */
export async function cancelUpload(id: number): Promise<void> {
  forgetUpload(id)
  await run(filemanager.cancelUpload({ params: { id } }))
}

async function sendInParts(sending: FileToSend): Promise<void> {
  const { file, onSent, onOpened, onTrouble, signal } = sending
  let upload = await opened(sending)
  onOpened(upload.id)
  for (let failures = 0; upload.state === 'open';) {
    onSent(upload.offset_bytes)
    try {
      upload = await sendPart(upload, sending)
      if (failures > 0) onTrouble('')
      failures = 0
    } catch (error) {
      if (signal.aborted || !mayPass(error) || ++failures > mostFailures) throw error
      onTrouble(
        error instanceof TypeError
          ? 'The connection was lost; trying again …'
          : 'The panel could not accept it; trying again …',
      )
      await pause(firstPauseMs * 2 ** (failures - 1), signal)
      upload = await run(filemanager.readUpload({ params: { id: upload.id } }), signal).catch(() => upload)
    }
  }
  forgetUpload(upload.id)
  onSent(file.size)
}

async function sendPart(
  { id, offset_bytes: offset, part_size_bytes: size }: PartialUpload,
  { file, overwrite, onSent, signal }: FileToSend,
): Promise<PartialUpload> {
  const bytes = file.slice(offset, offset + size)
  const sha256 = await sha256Of(bytes)
  const query = { offset, ...(sha256 !== undefined && { sha256 }), ...(overwrite && { overwrite }) }
  return sendBytes({
    call: filemanager.uploadPart({ params: { id }, query }),
    bytes,
    signal,
    onSent: (sent) => onSent(offset + sent),
  })
}

/** Returns the open upload of an earlier attempt, or a new one. */
async function opened({ whose, file, folder, name, overwrite, signal }: FileToSend): Promise<PartialUpload> {
  const fingerprint = await fingerprintOf(file)
  const path = joinPath(folder, name)
  for (const note of notes().filter((each) => each.fingerprint === fingerprint)) {
    const known = await run(filemanager.readUpload({ params: { id: note.id } }), signal).catch(gone(note.id))
    if (known?.state === 'open' && pathFrom(known.path, known.path_b64) === path) return known
  }
  const query = { ...whose, ...wirePath(folder), name, overwrite, resumable: true, size_bytes: file.size }
  const upload = await run(filemanager.uploadFile({ query }), signal)
  if (!('id' in upload)) throw new Error('The panel did not open an upload in parts')
  noteUpload({ id: upload.id, fingerprint })
  return upload
}

const gone = (id: number) => (error: unknown) => {
  if (!(error instanceof ApiError) || error.status !== 404) throw error
  forgetUpload(id)
  return undefined
}

/**
 * Returns true if a retry may succeed: the connection was lost, the panel restarts, or the offset is wrong.
 */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError)) return error instanceof TypeError
  return error.status >= 500
    ? error.status !== 507
    : error.code === 'checksum_mismatch' || (error.code === 'conflict' && 'offset_bytes' in error.fields)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new DOMException('The upload was stopped', 'AbortError'))
    })
  })
}
