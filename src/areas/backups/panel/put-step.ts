import type { Readable } from 'node:stream'
import type { StepKind, StepRun } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { packArchive } from './archive.ts'
import { isEncrypted, typeOf } from './names.ts'
import type { PanelParts } from './parts.ts'
import { BackupFailed, PullFailed, SaveFailed } from './problems.ts'

/** A backup and where it comes from: this panel, an upload, or an object of the S3 server. */
export interface PutArgs {
  readonly filename: string
  readonly from: 'panel' | 'upload' | { readonly key: string }
  /** Whether it is copied to S3 once it is here. */
  readonly sends: boolean
}

/** The size of the backup, and what became of its copy on S3. */
export interface PutResult {
  readonly size_bytes: number
  readonly remote: boolean
  readonly remote_error: string
}

type PutRun = StepRun<null, Readable | undefined>

const scratchOf = ({ directory }: PanelParts, filename: string) => `${directory}/.making-${filename}`

/** Makes the kind of step that puts a backup into the folder of the backups, complete or not at all. */
export function putStep(on: PanelParts): StepKind<PutArgs, null, PutResult, Readable | undefined> {
  const { files, directory } = on
  const clean = (filename: string) => files.removeTree(scratchOf(on, filename))
  const sizeOf = async (filename: string) => (await files.facts(`${directory}/${filename}`))?.sizeBytes ?? 0
  return {
    name: 'backups.put',
    plan: ({ filename, sends }) => ({
      title: `Write the backup ${filename}`,
      details: sends ? ['It is copied to S3'] : [],
    }),
    observe: async ({ filename }) => {
      if (await files.facts(`${directory}/${filename}`))
        throw SaveFailed(`there is a backup ${filename} already`)
      return null
    },
    act: async (args, run) => {
      const scratch = scratchOf(on, args.filename)
      await clean(args.filename)
      await files.makeDirectory(directory, { mode: 0o700 })
      await files.makeDirectory(scratch, { mode: 0o700 })
      try {
        const made = await make(on, args, { scratch, run })
        await files.move(made, `${directory}/${args.filename}`)
      } finally {
        await clean(args.filename)
      }
      const { remote, remote_error } = args.sends
        ? await send(on, args.filename, run.signal)
        : { remote: false, remote_error: '' }
      return { size_bytes: await sizeOf(args.filename), remote, remote_error }
    },
    undo: async ({ filename }) => {
      await clean(filename)
      await files.remove(`${directory}/${filename}`)
    },
    recover: async ({ filename, sends }) => {
      await clean(filename)
      if (sends) await clearSending(on, filename)
    },
    check: async ({ filename }) => ((await files.facts(`${directory}/${filename}`)) ? 'wanted' : 'before'),
    again: async ({ filename, sends }) =>
      (await files.facts(`${directory}/${filename}`)) && {
        size_bytes: await sizeOf(filename),
        remote: false,
        remote_error: sends ? 'the panel was stopped before it was copied' : '',
      },
    notUndone: 'a backup is deleted on its own',
  }
}

interface Making {
  readonly scratch: string
  readonly run: PutRun
}

async function make(on: PanelParts, { filename, from }: PutArgs, { scratch, run }: Making): Promise<string> {
  const { files } = on
  const path = `${scratch}/whole`
  if (from === 'panel') return makeBackup(on, filename, { scratch, run })
  if (from !== 'upload') {
    const { s3 } = await on.settings.read()
    await on.openObjects(s3).get(from.key, files.real(path), run.signal).catch(notPulled)
    return path
  }
  if (run.live === undefined) throw SaveFailed('the file did not arrive')
  await files.store(path, run.live, run.signal).catch((error: unknown) => {
    if (error instanceof Problem) throw error
    throw SaveFailed(undefined, { cause: error })
  })
  return path
}

async function makeBackup(on: PanelParts, filename: string, { scratch, run }: Making): Promise<string> {
  const { files, gpg, key, store } = on
  const [path, content] = [`${scratch}/whole`, `${scratch}/content`]
  await files.makeDirectory(content, { mode: 0o700 })
  if (typeOf(filename) === 'db') await store.copyTo(files.real(path))
  else await packArchive(on, content, path, run.signal)
  if (!isEncrypted(filename)) return path
  const passphrase = await key.passphrase()
  if (passphrase === undefined) throw BackupFailed('no encryption key is stored')
  await gpg.encryptFile({ passphrase, from: path, to: `${path}.gpg`, signal: run.signal })
  return `${path}.gpg`
}

/** A backup that cannot be copied is still one: the failure is told beside it. */
async function send(
  on: PanelParts,
  filename: string,
  signal: AbortSignal,
): Promise<Omit<PutResult, 'size_bytes'>> {
  try {
    await sendBackup(on, filename, signal)
    return { remote: true, remote_error: '' }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { remote: false, remote_error: error.message.slice(0, 1000) }
  }
}

async function sendBackup(on: PanelParts, filename: string, signal: AbortSignal): Promise<void> {
  const { files, directory, gpg } = on
  const { s3, prefix, encryptsRemote } = await on.settings.read()
  const passphrase = encryptsRemote && !isEncrypted(filename) ? await on.key.passphrase() : undefined
  const objects = on.openObjects(s3)
  const path = `${directory}/${filename}`
  if (passphrase === undefined) return objects.put(keyOf(prefix, filename), files.real(path), signal)
  const encrypted = sendingOf(on, filename)
  try {
    await files.remove(encrypted)
    await gpg.encryptFile({ passphrase, from: path, to: encrypted, signal })
    await objects.put(keyOf(prefix, `${filename}.gpg`), files.real(encrypted), signal)
  } finally {
    await files.remove(encrypted)
  }
}

const sendingOf = ({ directory }: Pick<PanelParts, 'directory'>, filename: string) =>
  `${directory}/.sending-${filename}`

const clearMs = 10_000

/** Removes what a kill left of a copy to S3: the encrypted file, and parts of the upload. */
async function clearSending(on: PanelParts, filename: string): Promise<void> {
  await on.files.remove(sendingOf(on, filename))
  const { s3, prefix } = await on.settings.read()
  if (s3.endpoint === '' || s3.bucket === '') return
  const signal = AbortSignal.timeout(clearMs)
  await on
    .openObjects(s3)
    .endUploads(keyOf(prefix, filename), signal)
    .catch(() => {}) // the backup is here, whatever S3 answers
}

/** Returns what the keys of the backups of the panel begin with. */
export const keysOf = (prefix: string): string => keyOf(prefix, '')

const keyOf = (prefix: string, filename: string) =>
  `${[prefix.replaceAll(/^\/+|\/+$/g, ''), 'panel'].filter((part) => part !== '').join('/')}/${filename}`

/** Returns the backups of the panel on S3, by their names; throws PullFailed. */
export async function remoteBackups(
  on: PanelParts,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const { s3, prefix } = await on.settings.read()
  if (s3.endpoint === '' || s3.bucket === '') throw PullFailed('there are no S3 settings: set them first')
  const start = keysOf(prefix)
  const found = await on.openObjects(s3).list(start, signal).catch(notPulled)
  return new Map(found.map(({ key }) => [key.slice(start.length), key]))
}

function notPulled(error: unknown): never {
  if (error instanceof Problem) throw PullFailed(error.message, { cause: error })
  throw error
}
