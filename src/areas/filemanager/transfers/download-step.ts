import type { StepKind } from '../../../core/change.ts'
import { type Addresses, type Fetch, portOf, readUrl, shownUrl } from '../../../host/fetch/index.ts'
import type { TextPath } from '../paths.ts'
import { found, type OwnerOf } from '../steps/files.ts'
import { reportProgress } from './download-progress.ts'
import type { DownloadQueries } from './store.ts'
import { type Downloaded, download, drop, previewFile, previewPlace } from './download.ts'

interface DownloadArgs {
  readonly username: string
  readonly folder: TextPath
  readonly url: string
  readonly name: string
  readonly isAdmin: boolean
  /** The job that carries it out, whose next turn may continue it; absent within a request. */
  readonly jobId?: number
}

interface Doors {
  readonly fetch: Fetch
  readonly addresses: Addresses
  readonly ownerOf: OwnerOf
  readonly downloads: Pick<DownloadQueries, 'validatorOf' | 'keepValidator'>
}

type Before = { readonly file: TextPath } | null

/** Returns the step that downloads a URL into a folder of a home. */
export function downloadStep({
  fetch,
  addresses,
  ownerOf,
  downloads,
}: Doors): StepKind<DownloadArgs, Before, Downloaded> {
  const fileOf = async ({ username, ...rest }: DownloadArgs) =>
    previewFile({ ...rest, owner: await ownerOf(username) })
  const isReceiving = async ({ username, name, folder }: DownloadArgs) =>
    (await (await ownerOf(username)).uploads.of(name, folder).look()).isOpen
  const placed = async ({ username }: DownloadArgs, before: Before): Promise<Downloaded | undefined> => {
    if (before === null) return undefined
    const file = await found(await ownerOf(username), before.file)
    return file?.type === 'file' ? { file: before.file.path, size_bytes: file.size_bytes } : undefined
  }
  return {
    name: 'filemanager.download',
    continues: true,
    plan: ({ username, folder, url }) => ({
      title: `Download ${shownUrl(readUrl(url))} into ${folder.path || 'the home'} of ${username}`,
    }),
    preview: async (args) => {
      const details = await previewPlace({ ...args, owner: await ownerOf(args.username) })
      const url = readUrl(args.url)
      // a job reports an unknown host itself
      if (args.jobId === undefined) await addresses.resolveAllowed(url.hostname, portOf(url), args)
      return { details }
    },
    observe: async (args) => ({ file: await fileOf(args) }),
    act: async ({ username, isAdmin, jobId, ...rest }, { signal, progress }) => {
      const version = jobId === undefined ? undefined : versionOf(downloads, jobId)
      const order = { ...rest, fetch, owner: await ownerOf(username), asker: { isAdmin }, signal }
      return download({ ...order, ...(version && { version }), onProgress: reportProgress(progress) })
    },
    undo: async (args) => drop({ ...args, owner: await ownerOf(args.username) }),
    notUndone: 'the owner may have changed the file by now',
    // the received file gets the free name only at the end
    check: async (args, before) => {
      if (await isReceiving(args)) return 'other'
      return (await placed(args, before)) === undefined ? 'before' : 'wanted'
    },
    again: async (args, before) => ((await isReceiving(args)) ? undefined : placed(args, before)),
  }
}

/** Remembers which version of the file was received in part. */
const versionOf = (downloads: Doors['downloads'], jobId: number) => ({
  read: () => downloads.validatorOf(jobId),
  keep: (validator: string | undefined) => downloads.keepValidator(jobId, validator),
})
