import { posix } from 'node:path'
import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import type { Storage } from '../policy.ts'
import { S3Failed } from '../problems.ts'
import type { BackupParts } from '../step-parts.ts'
import { storePart } from './streams.ts'

/** A dump of a database, in the home of its owner. */
interface UploadArgs {
  readonly username: string
  /** Relative to the home. */
  readonly file: string
}

interface UploadParts extends Pick<BackupParts, 'files' | 'tools' | 'homeOf' | 'maxBytesPerSecond'> {
  readonly storage: () => Promise<Storage | undefined>
}

const scratchFolder = '/var/lib/hostreeve/backups/uploads'
const checkMs = 30_000

/** The step that uploads a dump to S3, encrypted where copies on S3 are; the object is whole or not there. */
export function uploadDump(on: UploadParts): StepKind<UploadArgs, null, { readonly url: string }> {
  const isStored = async (args: UploadArgs, storage: Storage) => {
    const key = keyOf(storage, args)
    const found = await storage.objects.list(key, AbortSignal.timeout(checkMs))
    return found.some((object) => object.key === key)
  }
  const kind = finalStep<UploadArgs, null, { readonly url: string }>({
    name: 'sitebackups.upload-dump',
    plan: ({ username }) => ({ title: `Upload the dump to databases/${username} on S3` }),
    why: 'the object stays on S3 until it is deleted there',
    act: async (args, { signal, progress }) => {
      const storage = await neededOf(on)
      const key = keyOf(storage, args)
      const path = scratchOf(args)
      const { owner } = await on.homeOf(args.username)
      const passphrase = await storage.passphrase()
      progress(null, `Uploading ${posix.basename(key)} to S3`)
      await on.files.makeDirectory(scratchFolder, { mode: 0o700 })
      try {
        const { stream } = await owner.read({ field: 'file', path: args.file })
        await storePart(on, stream, { path, passphrase, signal })
        await storage.objects.put(key, on.files.real(path), signal)
      } finally {
        await on.files.remove(path)
      }
      return { url: storage.urlOf(key) }
    },
    isDone: async (args) => {
      if ((await on.files.facts(scratchOf(args))) !== undefined) return undefined
      const storage = await on.storage()
      return storage && isStored(args, storage)
    },
  })
  return {
    ...kind,
    recover: async (args) => {
      await on.files.cleanLeftovers(scratchFolder)
      await on.files.remove(scratchOf(args))
      const storage = await on.storage()
      const signal = AbortSignal.timeout(checkMs)
      await storage?.objects.endUploads(keyOf(storage, args), signal).catch(() => {}) // the check asks S3 again
    },
    again: async (args) => {
      const storage = await on.storage()
      if (storage === undefined || !(await isStored(args, storage))) return undefined
      return { url: storage.urlOf(keyOf(storage, args)) }
    },
  }
}

async function neededOf({ storage }: UploadParts): Promise<Storage> {
  const found = await storage()
  if (found === undefined) throw S3Failed('upload_to_cloud: the S3 server was removed from the settings')
  return found
}

/** Only root reads what is sent, so that the owner cannot change it meanwhile. */
const scratchOf = ({ username, file }: UploadArgs): string =>
  `${scratchFolder}/${username}-${posix.basename(file)}`

const keyOf = ({ prefix, encrypts }: Storage, { username, file }: UploadArgs): string =>
  [
    prefix.replaceAll(/^\/+|\/+$/g, ''),
    'databases',
    username,
    `${posix.basename(file)}${encrypts ? '.gpg' : ''}`,
  ]
    .filter((part) => part !== '')
    .join('/')
