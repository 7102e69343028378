import type { StepKind, StepRun } from '../../../core/change.ts'
import { Conflict } from '../../../core/problem.ts'
import { Depot } from '../depot.ts'
import type { BackupParts, OwnedHome } from '../step-parts.ts'
import type { Part } from '../manifest.ts'
import { dumpName, exists, pathsOf, removeAll, type RestoreArgs } from './scratch.ts'
import { openPart, verifyPart } from './streams.ts'

interface StoredPart {
  readonly point: string
  readonly part: Part
}

export interface UnpackArgs extends RestoreArgs {
  /** The archives of the chain, from the full one; none to leave the files as they are. */
  readonly archives: readonly StoredPart[]
  readonly dumps: readonly StoredPart[]
  readonly passphrase: string | null
  /** Names the folder of root into which the backups are fetched from S3; absent for those of this host. */
  readonly fetched?: string
}

const fetchedFolder = (name: string): string => `/var/lib/hostreeve/backups/restores/${name}`

/** The step that verifies a backup and unpacks it beside the website, under the owner's uid. */
export function unpackPoint(on: BackupParts): StepKind<UnpackArgs, null, null> {
  return {
    name: 'sitebackups.unpack',
    plan: ({ archives, dumps, domain, fetched }) => ({
      title: `${fetched === undefined ? 'Verify' : 'Fetch from S3, verify'} and unpack the backup of ${domain}`,
      details: [...archives, ...dumps].map(({ point, part }) => `${part.file} of ${point}`),
    }),
    observe: async () => null,
    act: async (args, run) => {
      try {
        await unpackFrom(await fetchedParts(on, args, run), args, run)
      } finally {
        await removeFetched(on, args)
      }
      return null
    },
    undo: async (args) => {
      const { owner } = await on.homeOf(args.username)
      const { preparing, root, former, domain } = { ...args, ...pathsOf(args) }
      await removeFetched(on, args)
      if (await exists(owner, former))
        throw Conflict(`The former folder of ${domain} is still in ${former}, which was left as it is`)
      await removeAll(owner, preparing)
      await removeAll(owner, root)
    },
    notUndone: 'what was unpacked has become the website',
    check: async (args) => {
      const { owner } = await on.homeOf(args.username)
      const { preparing, root } = pathsOf(args)
      if (await exists(owner, preparing)) return 'other'
      if (args.fetched !== undefined && (await on.files.facts(fetchedFolder(args.fetched)))) return 'other'
      return (await exists(owner, root)) ? 'wanted' : 'before'
    },
  }
}

/** Returns the parts of a step that finds the backups where they are, fetched from S3 if they are to be. */
async function fetchedParts(on: BackupParts, args: UnpackArgs, run: Run): Promise<BackupParts> {
  if (args.fetched === undefined) return on
  const depot = new Depot(on.files, fetchedFolder(args.fetched))
  await removeFetched(on, args)
  for (const name of new Set([...args.archives, ...args.dumps].map(({ point }) => point))) {
    run.progress(null, `Fetching ${name} from S3`)
    await on.copies.fetch(depot, args, name, run.signal)
  }
  return { ...on, depot }
}

async function removeFetched({ files }: BackupParts, { fetched }: UnpackArgs): Promise<void> {
  if (fetched !== undefined) await files.removeTree(fetchedFolder(fetched))
}

async function unpackFrom(on: BackupParts, args: UnpackArgs, run: Run): Promise<void> {
  for (const { point, part } of [...args.archives, ...args.dumps]) {
    run.progress(null, `Verifying ${part.file}`)
    await verifyPart(on, { site: args, point, part })
    run.signal.throwIfAborted()
  }
  const home = await on.homeOf(args.username)
  const { preparing, root } = pathsOf(args)
  await removeAll(home.owner, preparing)
  await removeAll(home.owner, root)
  await home.owner.mkdir('sites', { recursive: true }) // on a fresh host; the web server passes through it
  await home.owner.mkdir(preparing, { mode: 0o700 })
  await unpackFiles(on, args, { ...run, home })
  await placeDumps(on, args, { ...run, home })
  await home.owner.move(preparing, root) // the whole of it at once
}

type Run = Pick<StepRun<null>, 'signal' | 'progress'>

type Unpacking = Run & { readonly home: OwnedHome }

async function unpackFiles(
  on: BackupParts,
  args: UnpackArgs,
  { home: { owner, home }, signal, progress }: Unpacking,
): Promise<void> {
  if (args.archives.length === 0) return
  const unpacked = `${pathsOf(args).preparing}/site`
  await owner.mkdir(unpacked, { mode: 0o700 })
  for (const { point, part } of args.archives) {
    progress(null, `Unpacking ${point}`)
    const archive = openPart(on, { site: args, point, part }, { passphrase: args.passphrase, signal })
    await on.tools.tar.unpack(owner, archive, { folder: `${home}/${unpacked}`, signal })
  }
}

async function placeDumps(
  on: BackupParts,
  args: UnpackArgs,
  { home: { owner }, signal, progress }: Unpacking,
): Promise<void> {
  for (const [at, { point, part }] of args.dumps.entries()) {
    progress(null, `Placing the dump of ${part.database}`)
    const dump = openPart(on, { site: args, point, part }, { passphrase: args.passphrase, signal })
    await owner.write(`${pathsOf(args).preparing}/${dumpName(at)}`, dump, { mode: 0o600, signal })
  }
}
