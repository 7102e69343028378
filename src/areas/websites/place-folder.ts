import type { StepKind } from '../../core/change.ts'
import { problem, unless } from '../../core/problem.ts'
import { type Owner, ownerProblems } from '../../host/owner/index.ts'

export const FolderExists = problem('conflict', 409, 'The folder of the website exists already')

/** The site whose folder is meant. */
export interface FolderArgs {
  readonly username: string
  readonly domain: string
}

export interface PlaceFolderArgs {
  readonly from: FolderArgs
  readonly to: FolderArgs
  /** Names the folder in which a copy is made, in the home of its owner. */
  readonly id: number
}

type OwnerOf = (username: string) => Promise<Owner>
type PlaceFolder = StepKind<PlaceFolderArgs, null, null>

const folderOf = ({ domain }: FolderArgs) => `sites/${domain}`
const copyingIn = ({ id }: PlaceFolderArgs) => `sites/.hostreeve-copy-${id}`

async function exists(owner: Owner, path: string): Promise<boolean> {
  return (await unless([ownerProblems.NoSuchFile], owner.stat(path))) !== undefined
}

async function refuseExisting(ownerOf: OwnerOf, to: FolderArgs): Promise<void> {
  if (await exists(await ownerOf(to.username), folderOf(to)))
    throw FolderExists(
      `domain: ${folderOf(to)} exists already in the home of ${to.username}: rename or remove it first`,
    )
}

/** The step that renames the folder of a site within the home of its owner. */
export function moveFolder(ownerOf: OwnerOf): PlaceFolder {
  const place = async (from: FolderArgs, to: FolderArgs) => {
    const owner = await ownerOf(from.username)
    if (await exists(owner, folderOf(to))) return // by this step
    await owner.move(folderOf(from), folderOf(to))
  }
  return {
    name: 'websites.move-folder',
    plan: ({ from, to }) => ({
      title: `Rename ${folderOf(from)} to ${folderOf(to)} in the home of ${from.username}`,
    }),
    observe: async ({ to }) => {
      await refuseExisting(ownerOf, to)
      return null
    },
    act: async ({ from, to }) => {
      await place(from, to)
      return null
    },
    undo: ({ from, to }) => place(to, from),
    check: async ({ from, to }) => {
      const owner = await ownerOf(from.username)
      const [isThere, isLeft] = [await exists(owner, folderOf(to)), await exists(owner, folderOf(from))]
      if (isThere === isLeft) return 'other'
      return isThere ? 'wanted' : 'before'
    },
  }
}

/**
 * The step that copies the folder of a site, also to the home of another owner: it is packed under the uid of
 * the one and unpacked under that of the other. What PHP keeps is left out, such as sessions.
 */
export function copyFolder(ownerOf: OwnerOf): PlaceFolder {
  const remove = async (owner: Owner, path: string) =>
    void (await unless([ownerProblems.NoSuchFile], owner.remove([path], { recursive: true })))
  return {
    name: 'websites.copy-folder',
    plan: ({ from, to }) => ({
      title: `Copy ${folderOf(from)} of ${from.username} to ${folderOf(to)} in the home of ${to.username}`,
    }),
    observe: async ({ to }) => {
      await refuseExisting(ownerOf, to)
      return null
    },
    act: async (args, { signal, progress }) => {
      const { from, to } = args
      const [source, target] = [await ownerOf(from.username), await ownerOf(to.username)]
      if (await exists(target, folderOf(to))) return null // by this step
      const scratch = copyingIn(args)
      await remove(target, scratch)
      await target.mkdir(`${scratch}/site`, { recursive: true })
      progress(0, `Copying ${folderOf(from)}`)
      if (from.username === to.username) {
        await source.copy(folderOf(from), `${scratch}/site/${from.domain}`, { signal })
      } else {
        const archive = `${scratch}/site.tar`
        await target.write(archive, await source.archives.download(folderOf(from), 'tar'), {
          mode: 0o600,
          signal,
        })
        progress(50, 'Unpacking')
        await target.archives.extract(archive, `${scratch}/site`, { limits: unlimited, signal })
      }
      await remove(target, `${scratch}/site/${from.domain}/php`)
      await target.move(`${scratch}/site/${from.domain}`, folderOf(to))
      await remove(target, scratch)
      progress(100, 'Copied')
      return null
    },
    undo: async (args) => {
      const target = await ownerOf(args.to.username)
      for (const path of [copyingIn(args), folderOf(args.to)]) await remove(target, path)
    },
    check: async (args) => {
      const target = await ownerOf(args.to.username)
      if (await exists(target, copyingIn(args))) return 'other'
      return (await exists(target, folderOf(args.to))) ? 'wanted' : 'before'
    },
  }
}

/** The archive is one that the panel has made. */
const unlimited = { maxBytes: 2 ** 50, maxEntries: 100_000_000, maxRatio: 1_000_000 }
