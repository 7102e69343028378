import type { StepKind } from '../../../core/change.ts'
import { type Addresses, type Fetch, portOf, readUrl, shownUrl } from '../../../host/fetch/index.ts'
import type { TextPath } from '../paths.ts'
import { found, type OwnerOf } from '../steps/files.ts'
import { type Downloaded, download, drop, previewFile, previewPlace } from './download.ts'

interface DownloadArgs {
  readonly username: string
  readonly folder: TextPath
  readonly url: string
  readonly name: string
  readonly isAdmin: boolean
}

interface Doors {
  readonly fetch: Fetch
  readonly addresses: Addresses
  readonly ownerOf: OwnerOf
}

/** Returns the step that downloads a URL into a folder of a home. */
export function downloadStep({
  fetch,
  addresses,
  ownerOf,
}: Doors): StepKind<DownloadArgs, { readonly file: TextPath } | null, Downloaded> {
  const fileOf = async ({ username, ...rest }: DownloadArgs) =>
    previewFile({ ...rest, owner: await ownerOf(username) })
  return {
    name: 'filemanager.download',
    plan: ({ username, folder, url }) => ({
      title: `Download ${shownUrl(readUrl(url))} into ${folder.path || 'the home'} of ${username}`,
    }),
    preview: async (args) => {
      const details = await previewPlace({ ...args, owner: await ownerOf(args.username) })
      const url = readUrl(args.url)
      await addresses.resolveAllowed(url.hostname, portOf(url), args)
      return { details }
    },
    observe: async (args) => ({ file: await fileOf(args) }),
    act: async ({ username, isAdmin, ...rest }, { signal }) =>
      download({ ...rest, fetch, owner: await ownerOf(username), asker: { isAdmin }, signal }),
    undo: async (args) => drop({ ...args, owner: await ownerOf(args.username) }),
    // the received file gets the free name only at the end
    check: async ({ username, name, folder }, before) => {
      const owner = await ownerOf(username)
      if ((await owner.uploads.of(name, folder).look()).isOpen) return 'other'
      return before !== null && (await found(owner, before.file))?.type === 'file' ? 'wanted' : 'before'
    },
  }
}
