import type { StepKind } from '../../../core/change.ts'
import { unless } from '../../../core/problem.ts'
import { type Owner, ownerProblems } from '../../../host/owner/index.ts'
import type { AppEntry } from '../catalog/entry.ts'
import { FolderUsed } from '../problems.ts'
import { type Delivery, type Source, versionIn } from '../source.ts'

export interface PlaceArgs {
  readonly username: string
  readonly domain: string
  /** Of the website: names the folder in which the files are made ready. */
  readonly id: number
  readonly name: string
  readonly source: Source
  readonly omits: readonly string[]
  readonly moves: readonly { readonly from: string; readonly to: string }[]
  readonly writes: readonly {
    readonly path: string
    readonly content: string
    readonly is_secret: boolean
  }[]
  readonly version: AppEntry['version']
}

interface Placed {
  readonly version: string | null
}

interface PlaceParts {
  readonly ownerOf: (username: string) => Promise<Owner>
  readonly deliver: (source: Exclude<Source, { kind: 'included' }>, signal: AbortSignal) => Promise<Delivery>
}

const limits = { maxBytes: 2 * 1024 ** 3, maxEntries: 100_000, maxRatio: 250 }
const versionBytes = 64 * 1024

const siteOf = ({ domain }: Pick<PlaceArgs, 'domain'>) => `sites/${domain}`
const rootOf = (args: Pick<PlaceArgs, 'domain'>) => `${siteOf(args)}/public`
const scratchOf = ({ id }: Pick<PlaceArgs, 'id'>) => `sites/.hostreeve-application-${id}`
const freshOf = (args: PlaceArgs) => `${scratchOf(args)}/fresh`
/** The entries beside the document root. */
const besideOf = ({ moves, writes }: PlaceArgs): readonly string[] => [
  ...new Set(
    [...moves.map(({ to }) => to), ...writes.map(({ path }) => path)]
      .map((path) => path.split('/')[0]!)
      .filter((first) => first !== 'public'),
  ),
]

/**
 * The step that gives a website the files of an application, with its configuration. They are made ready beside the websites, and take
 * the place of the empty document root when they are complete. All of it runs under the owner's uid.
 */
export function placeFiles({ ownerOf, deliver }: PlaceParts): StepKind<PlaceArgs, null, Placed> {
  return {
    name: 'applications.place-files',
    plan: ({ username, domain, name, source, writes }) => ({
      title: `Install ${name} in sites/${domain} in the home of ${username}`,
      details: [originOf(source), `Writes ${writes.map(({ path }) => path).join(', ')}`],
    }),
    observe: async (args) => {
      const owner = await ownerOf(args.username)
      if (await hasEntries(owner, args)) throw FolderUsed(usedText(args, rootOf(args)))
      for (const name of besideOf(args))
        if (await exists(owner, `${siteOf(args)}/${name}`))
          throw FolderUsed(usedText(args, `${siteOf(args)}/${name}`))
      return null
    },
    act: async (args, { signal, progress }) => {
      const owner = await ownerOf(args.username)
      if (await isPlaced(owner, args)) return readVersion(owner, args) // by this step
      await removeAll(owner, scratchOf(args))
      await owner.mkdir(`${freshOf(args)}/public`, { recursive: true })
      await fetchFiles({ owner, deliver, signal, progress }, args)
      await writeFiles(owner, args)
      await putInPlace(owner, args)
      progress(100, `${args.name} is in place`)
      return readVersion(owner, args)
    },
    undo: async (args) => {
      const owner = await ownerOf(args.username)
      if (await isPlaced(owner, args)) {
        for (const name of besideOf(args)) await removeAll(owner, `${siteOf(args)}/${name}`)
        await removeAll(owner, rootOf(args))
      }
      await owner.mkdir(rootOf(args), { recursive: true })
      await removeAll(owner, scratchOf(args))
    },
    check: async (args) => {
      const owner = await ownerOf(args.username)
      if ((await exists(owner, scratchOf(args))) || !(await exists(owner, rootOf(args)))) return 'other'
      return (await isPlaced(owner, args)) ? 'wanted' : 'before'
    },
    again: async (args) => {
      const owner = await ownerOf(args.username)
      return (await isPlaced(owner, args)) ? readVersion(owner, args) : undefined
    },
    notUndone: 'the application may have content by now: delete its website instead',
  }
}

const originOf = (source: Source): string => {
  if (source.kind === 'included') return 'The files come with the panel'
  if (source.kind === 'package') return `Copies ${source.parent}/${source.folder} of this host`
  return `Downloads ${source.url}, whose ${source.algorithm} must be ${source.checksum}`
}

const usedText = ({ username }: PlaceArgs, path: string) =>
  `domain: ${path} in the home of ${username} has files already: rename or remove it first`

interface Fetching extends Pick<PlaceParts, 'deliver'> {
  readonly owner: Owner
  readonly signal: AbortSignal
  readonly progress: (percent: number | null, message: string) => void
}

async function fetchFiles(
  { owner, deliver, signal, progress }: Fetching,
  { source, name, omits, ...args }: PlaceArgs,
): Promise<void> {
  if (source.kind === 'included') return
  const scratch = scratchOf(args)
  progress(0, source.kind === 'archive' ? `Downloading ${name}` : `Copying ${name}`)
  const { stream, name: file, verify } = await deliver(source, signal)
  await owner.write(`${scratch}/${file}`, stream, { mode: 0o600, signal })
  verify()
  progress(50, `Unpacking ${name}`)
  await owner.mkdir(`${scratch}/unpacked`)
  await owner.archives.extract(`${scratch}/${file}`, `${scratch}/unpacked`, { limits, signal })
  await owner.remove([`${scratch}/fresh/public`])
  await owner.move(`${scratch}/unpacked/${source.folder}`, `${scratch}/fresh/public`)
  for (const each of omits) await removeAll(owner, `${scratch}/fresh/public/${each}`)
}

async function writeFiles(owner: Owner, args: PlaceArgs): Promise<void> {
  const fresh = freshOf(args)
  for (const { from, to } of args.moves) {
    await makeParent(owner, `${fresh}/${to}`)
    await owner.move(`${fresh}/${from}`, `${fresh}/${to}`)
  }
  for (const { path, content, is_secret } of args.writes) {
    await makeParent(owner, `${fresh}/${path}`)
    await owner.write(`${fresh}/${path}`, Buffer.from(content), { mode: is_secret ? 0o600 : 0o644 })
  }
}

const makeParent = (owner: Owner, path: string) =>
  owner.mkdir(path.slice(0, path.lastIndexOf('/')), { recursive: true })

/** The document root first: by it the step knows that the rest is its own. One that is not empty stays. */
async function putInPlace(owner: Owner, args: PlaceArgs): Promise<void> {
  const fresh = freshOf(args)
  await unless([ownerProblems.NoSuchFile], owner.remove([rootOf(args)]))
  await owner.move(`${fresh}/public`, rootOf(args))
  for (const name of besideOf(args)) await owner.move(`${fresh}/${name}`, `${siteOf(args)}/${name}`)
  await removeAll(owner, scratchOf(args))
}

const isPlaced = (owner: Owner, args: PlaceArgs) => exists(owner, `${rootOf(args)}/${args.version.file}`)

async function readVersion(owner: Owner, args: PlaceArgs): Promise<Placed> {
  return { version: await versionAt(owner, args) }
}

/** Reads the version of the application in the folder of a website; null if its file is missing or tells none. */
export async function versionAt(
  owner: Owner,
  args: Pick<PlaceArgs, 'domain' | 'version'>,
): Promise<string | null> {
  const path = `${rootOf(args)}/${args.version.file}`
  const found = await unless(
    [ownerProblems.NoSuchFile, ownerProblems.NotAFolder],
    owner.read(path, { end: versionBytes }),
  )
  if (found === undefined) return null
  return versionIn(args, Buffer.concat(await found.stream.toArray()).toString('utf8'))
}

async function hasEntries(owner: Owner, args: PlaceArgs): Promise<boolean> {
  const listed = await unless(
    [ownerProblems.NoSuchFile],
    owner.list(rootOf(args), { perPage: 1, showHidden: true }),
  )
  return listed !== undefined && listed.total > 0
}

const exists = async (owner: Owner, path: string): Promise<boolean> =>
  (await unless([ownerProblems.NoSuchFile], owner.stat(path))) !== undefined

const removeAll = async (owner: Owner, path: string): Promise<void> =>
  void (await unless([ownerProblems.NoSuchFile], owner.remove([path], { recursive: true })))
