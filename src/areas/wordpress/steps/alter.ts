import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { StepKind, StepRun } from '../../../core/change.ts'
import { Conflict, Problem } from '../../../core/problem.ts'
import type { Owner } from '../../../host/owner/index.ts'
import { type Rewind, rewindFolders } from '../../sitebackups/index.ts'
import {
  existsInHome,
  makeHomeFolder,
  readHomeFile,
  removeEmptyFolder,
  removeFromHome,
  renewGeneration,
  writeHomeFile,
} from '../../websites/index.ts'
import { panelFolder } from '../home-files.ts'
import type { Altered } from '../model.ts'
import { assertFits, type Deliver, type Source } from '../packages.ts'
import { BackupIncomplete, ScriptFailed, UpdateFailed } from '../problems.ts'
import type { AskWordPress, Place } from '../run-script.ts'
import type { FindFault } from '../site-check.ts'

interface AlteredItem {
  /** `core` is WordPress itself. */
  readonly kind: 'plugin' | 'theme' | 'core'
  readonly name: string
  readonly former_version: string
  /** Null for one that is deleted. */
  readonly source: Source | null
}

export interface AlterArgs extends Place {
  /** Of the website. */
  readonly id: number
  readonly action: 'update' | 'delete'
  readonly items: readonly AlteredItem[]
  readonly checksSite: boolean
  /** True if nginx keeps pages of the website. */
  readonly isCached?: boolean
  /** The backup to which the website goes back. */
  readonly backup: string
  /** False if it would not bring back every file as it is: one that the owner cannot read, or of another account. */
  readonly isBackupComplete: boolean
  /** Names this change in the folder of the website. */
  readonly mark: string
}

interface Before {
  /** True if the folder of the panel was there. */
  readonly hadFolder: boolean
}

type AlteredItems = Pick<Altered, 'items'>

interface AlterParts {
  readonly ask: AskWordPress
  readonly ownerOf: (username: string) => Promise<Owner>
  readonly homeOf: (username: string) => Promise<string>
  readonly deliver: Deliver
  readonly rewind: Rewind
  readonly faultOf: FindFault
  /** Waits until PHP sees files that have changed. */
  readonly settle: (signal: AbortSignal) => Promise<void>
}

const Mark = Type.Object({
  mark: Type.String(),
  /** Null until all is done. */
  versions: Type.Union([Type.Array(Type.Union([Type.String(), Type.Null()])), Type.Null()]),
})
type Mark = Static<typeof Mark>

const undoMs = 60_000

const markPath = ({ domain }: Place): string => `${panelFolder(domain)}/change.json`
const scratchOf = ({ id }: AlterArgs): string => `sites/.hostreeve-wordpress-${id}`

/**
 * The step that updates or deletes plugins and themes, or updates WordPress itself, and visits the website afterwards. Its undo puts the website back to the backup, which
 * is older than the mark that the step begins with.
 */
export function alterItems(on: AlterParts): StepKind<AlterArgs, Before, AlteredItems> {
  return {
    name: 'wordpress.alter-items',
    plan: planOf,
    observe: async (args) => {
      const owner = await on.ownerOf(args.username)
      await readMark(owner, args) // what is in the place of the mark fails the step before it begins
      return { hadFolder: await existsInHome(owner, panelFolder(args.domain)) }
    },
    act: async (args, run) => {
      const owner = await on.ownerOf(args.username)
      const former = await readMark(owner, args)
      if (former?.mark === args.mark && former.versions !== null) return resultOf(args, former.versions)
      assertComplete(args)
      const packages = await fetchPackages(on, owner, { args, run })
      await writeMark(owner, args, null)
      const versions = await alter(on, packages, { args, run })
      await removeFromHome(owner, scratchOf(args))
      if (args.isCached === true) await renewGeneration(owner, args.domain)
      if (args.checksSite) await assertAnswers(on, args, run)
      await writeMark(owner, args, versions)
      return resultOf(args, versions)
    },
    undo: async (args, { hadFolder }) => {
      const owner = await on.ownerOf(args.username)
      if ((await isMarked(owner, args)) || (await isHalfBack(owner, args))) {
        await on.rewind(args, args.backup)
        await on.settle(AbortSignal.timeout(undoMs)) // the website answers again when its change has failed
      }
      await removeFromHome(owner, scratchOf(args))
      if (!hadFolder) await removeEmptyFolder(owner, panelFolder(args.domain))
    },
    check: async (args, { hadFolder }) => {
      const owner = await on.ownerOf(args.username)
      if ((await existsInHome(owner, scratchOf(args))) || (await isHalfBack(owner, args))) return 'other'
      const found = await unlessObstructed(readMark(owner, args))
      if (found === null) return 'other'
      if (found?.mark !== args.mark)
        return hadFolder || !(await existsInHome(owner, panelFolder(args.domain))) ? 'before' : 'other'
      return found.versions === null ? 'other' : 'wanted'
    },
    again: async (args) => {
      const found = await unlessObstructed(readMark(await on.ownerOf(args.username), args))
      if (found?.mark !== args.mark || found.versions === null) return undefined
      return resultOf(args, found.versions)
    },
    notUndone: 'the website may have other content by now: restore the backup instead',
  }
}

const resultOf = ({ items }: AlterArgs, versions: readonly (string | null)[]): AlteredItems => ({
  items: items.map(({ kind, name, former_version }, at) => ({
    ...{ kind, name, former_version },
    version: versions[at] ?? null,
  })),
})

const planOf = ({ domain, action, items, checksSite }: AlterArgs) => ({
  title: `${action === 'update' ? 'Update' : 'Delete'} ${countOf(items)} of ${domain}`,
  details: [
    ...items.map((each) => `${titleOf(each)}${originOf(each.source)}`),
    ...(items.some(isCore) ? ['WordPress upgrades its database'] : []),
    ...(action === 'delete' ? ['What a plugin stores may be removed with it'] : []),
    checksSite
      ? 'The front page and the page of sign-ins must answer afterwards; otherwise files and databases are restored from the backup, and what was written in between is lost'
      : 'The website is not checked afterwards',
  ],
})

const isCore = ({ kind }: AlteredItem): boolean => kind === 'core'

const titleOf = ({ kind, name, former_version, source }: AlteredItem): string => {
  if (kind !== 'core') return `${kind} ${name}`
  return `${name} ${former_version}${source?.version === undefined ? '' : ` to ${source.version}`}`
}

const countOf = (items: readonly AlteredItem[]): string => {
  if (items.some(isCore)) return 'WordPress'
  return items.length === 1 ? `a ${items[0]!.kind}` : `${items.length} plugins and themes`
}

function originOf(source: Source | null): string {
  if (source === null) return ''
  if (source.kind === 'path') return ` from ${source.path} in the home`
  return ` from ${source.url}${source.sha256 === null ? '' : `, whose SHA-256 must be ${source.sha256}`}`
}

function assertComplete({ username, domain, isBackupComplete }: AlterArgs): void {
  if (isBackupComplete) return
  throw BackupIncomplete(
    `${domain} has files that ${username} cannot read, or that belong to another account, which its backup would not bring back: give them to ${username}, or remove them, first`,
  )
}

/** A rewind that was killed has moved the mark away, with the former folder. */
async function isHalfBack(owner: Owner, args: AlterArgs): Promise<boolean> {
  for (const folder of rewindFolders(args)) if (await existsInHome(owner, folder)) return true
  return !(await existsInHome(owner, `sites/${args.domain}`))
}

interface Altering {
  readonly args: AlterArgs
  readonly run: Pick<StepRun<Before>, 'signal' | 'progress'>
}

/** Returns the absolute paths of the packages, fetched into the home before anything is changed; null for what is deleted. */
async function fetchPackages(
  { ask, homeOf, deliver }: AlterParts,
  owner: Owner,
  { args, run: { signal, progress } }: Altering,
): Promise<readonly (string | null)[]> {
  const scratch = scratchOf(args)
  await removeFromHome(owner, scratch)
  const home = await homeOf(args.username)
  const packages: (string | null)[] = []
  for (const [at, { kind, name, source }] of args.items.entries()) {
    if (source?.kind === 'url') {
      progress(null, `Downloading ${name}`)
      await makeHomeFolder(owner, scratch, 0o700)
      const { stream, verify } = await deliver(source, signal)
      await owner.write(`${scratch}/package-${at}.zip`, stream, { mode: 0o600, signal })
      verify()
    }
    const path = source?.kind === 'path' ? source.path : `${scratch}/package-${at}.zip`
    const archive = source === null ? null : `${home}/${path}`
    if (kind === 'core' && source !== null && archive !== null)
      await assertFits(ask, args, { source, archive, signal })
    packages.push(archive)
  }
  return packages
}

async function alter(
  { ask }: AlterParts,
  packages: readonly (string | null)[],
  { args, run: { signal, progress } }: Altering,
): Promise<readonly (string | null)[]> {
  progress(null, args.action === 'update' ? 'Installing the packages' : 'Deleting')
  const items = args.items.map(({ kind, name }, at) => ({ kind, name, package: packages[at] ?? null }))
  const { versions } = await failing(ask(args, 'alter', { action: args.action, items }, { signal }))
  if (versions.length !== items.length) throw UpdateFailed('WordPress did not tell what it has done')
  if (args.items.some(isCore)) {
    progress(null, 'Upgrading the database')
    await failing(ask(args, 'upgrade_database', {}, { signal }))
  }
  return versions
}

async function failing<Value>(pending: Promise<Value>): Promise<Value> {
  try {
    return await pending
  } catch (cause) {
    if (cause instanceof Problem && cause.kind === ScriptFailed) throw UpdateFailed(cause.message, { cause })
    throw cause
  }
}

async function assertAnswers(
  { faultOf, settle }: AlterParts,
  { domain, isTls }: AlterArgs,
  { signal, progress }: Altering['run'],
): Promise<void> {
  progress(null, `Visiting ${domain}`)
  await settle(signal)
  signal.throwIfAborted()
  const fault = await faultOf({ name: domain, isTls }, signal)
  if (fault !== undefined) throw UpdateFailed(fault)
}

/** The owner may write what they like there: it is no more than a hint whether to go back. */
async function readMark(owner: Owner, args: AlterArgs): Promise<Mark | undefined> {
  const found = await readHomeFile(owner, markPath(args))
  if (found === undefined) return undefined
  try {
    const mark: unknown = JSON.parse(found.text)
    return Value.Check(Mark, mark) ? mark : undefined
  } catch {
    return undefined
  }
}

/** True if the step has begun, also if something has been put in the place of its mark since then. */
async function isMarked(owner: Owner, args: AlterArgs): Promise<boolean> {
  const found = await unlessObstructed(readMark(owner, args))
  return found === null || found?.mark === args.mark
}

/** Returns null if something else is in the place of a file. */
async function unlessObstructed<Value>(pending: Promise<Value>): Promise<Value | null> {
  try {
    return await pending
  } catch (error) {
    if (error instanceof Problem && error.kind === Conflict) return null
    throw error
  }
}

async function writeMark(
  owner: Owner,
  args: AlterArgs,
  versions: readonly (string | null)[] | null,
): Promise<void> {
  const text = `${JSON.stringify({ mark: args.mark, versions })}\n`
  await writeHomeFile(owner, markPath(args), text, { mode: 0o600, folderMode: 0o700 })
}
