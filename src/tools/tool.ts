import type { AnyStepKind } from '../core/change.ts'
import { Unavailable } from '../core/problem.ts'
import { bindSteps, type Found, mapKeys, orEmpty, type StepDraft, type StepsOf } from '../core/tool.ts'
import { editedTool, type Loading, ownedTool } from '../host/apply/loading.ts'
import type { Host } from '../host/index.ts'
import { type Program, programOf } from './program.ts'
import type { FileParts, ManagedFiles } from './tool-files.ts'

/** The argument of each function of a tool, in addition to the result of its `open`. */
export interface Opening<Version extends string = string> {
  readonly host: Host
  /** `php-fpm`, or `php-fpm@8.2` for one of several versions. */
  readonly name: string
  /** The service of the host; empty if the tool has none. */
  readonly service: string
  /** One of `versions`; empty if the tool has none. */
  readonly version: Version
}

type FileDrafts = Readonly<Record<string, StepDraft<string, FileParts, AnyStepKind>>>
type StepKinds = Readonly<Record<string, AnyStepKind>>

interface ToolDraft<Name extends string, Version extends string, Options, Parts, Files, Steps, Verbs> {
  readonly name: Name
  /** The name for people: `HAProxy`. */
  readonly title: string
  /** The Debian packages; none if every host has the program. */
  readonly packages: readonly string[] | ((version: Version) => readonly string[])
  readonly service?: string | ((version: Version) => string)
  /** Where the program keeps its data; an installation that is undone removes those that it has created. */
  readonly dataDirectories?: readonly string[]
  /** True if the areas that need the program also work without it, except for the limitation that the reason states. */
  readonly isOptional?: boolean
  /** Creates the value that the other functions share; must not run or write anything. */
  readonly open?: (opening: Opening<Version>, options: Options | undefined) => Parts
  readonly detect?: (parts: NoInfer<Opening<Version> & Parts>) => Promise<Found>
  /** Prepares an installed program for the panel; may be repeated at any time. */
  readonly setUp?: (parts: NoInfer<Opening<Version> & Parts>) => Promise<unknown>
  /** Makes files and the running program consistent after the panel was killed during a change. Runs as root only. */
  readonly reconcile?: (parts: NoInfer<Opening<Version> & Parts>) => Promise<unknown>
  /** How its files are checked and loaded, unless `files` name a tool of their own. */
  readonly loading?: (parts: NoInfer<Opening<Version> & Parts>) => Loading
  /** Its configuration files, by the noun that their steps are named for: `owned(...)` or `edited(...)`. */
  readonly files?: (parts: NoInfer<Opening<Version> & Parts>) => Files
  /** Further kinds of steps. */
  readonly steps?: (parts: NoInfer<Opening<Version> & Parts>) => Steps
  /** Further functions for areas. */
  readonly verbs?: (parts: NoInfer<Opening<Version> & Parts>) => Verbs
}

/** A tool on a host. */
export type OpenTool<Files extends FileDrafts, Steps, Verbs> = Verbs & {
  readonly name: string
  /** The tool as the panel installs it; undefined if there is nothing to install. */
  readonly installation: Program | undefined
  detect(): Promise<Found>
  setUp(): Promise<unknown>
  reconcile(): Promise<void>
  readonly steps: Steps & StepsOf<Files>
  /** The files that its steps write, by their programs. */
  readonly managed: readonly ManagedFiles[]
}

/** A program that the panel drives, as a value. */
export interface Tool<Needed extends string, Options, Opened> {
  readonly name: string
  readonly title: string
  /** The Debian packages of all versions. */
  readonly packages: readonly string[]
  /** The names by which areas need it: `php-fpm` for any version, `php-fpm@8.2` for one. */
  readonly needed: readonly Needed[]
  /** Opens it on a host. Nothing is run or written until a method is called. */
  open(host: Host, options?: Options): Opened
  /** Lists what was opened: itself, or one for each version. */
  each(opened: Opened): readonly OpenTool<FileDrafts, StepKinds, object>[]
}

/** Declares a program that the panel drives. */
export function tool<
  const Name extends string,
  Options = undefined,
  Parts extends object = object,
  Files extends FileDrafts = Readonly<Record<never, never>>,
  Steps extends StepKinds = Readonly<Record<never, never>>,
  Verbs extends object = object,
>(
  draft: ToolDraft<Name, '', Options, Parts, Files, Steps, Verbs>,
): Tool<Name, Options, OpenTool<Files, Steps, Verbs>> {
  return {
    name: draft.name,
    title: draft.title,
    packages: packagesOf(draft, ''),
    needed: [draft.name],
    open: (host, options) => openTool(draft, openingOf(draft, host, ''), options),
    each: (opened) => [opened],
  }
}

/** Declares a program of which several versions may be installed side by side, each with its own packages, files and steps. */
export function versionedTool<
  const Name extends string,
  const Version extends string,
  Options = undefined,
  Parts extends object = object,
  Files extends FileDrafts = Readonly<Record<never, never>>,
  Steps extends StepKinds = Readonly<Record<never, never>>,
  Verbs extends object = object,
>(
  draft: ToolDraft<Name, Version, Options, Parts, Files, Steps, Verbs> & {
    readonly versions: readonly Version[]
  },
): Tool<Name | `${Name}@${Version}`, Options, Readonly<Record<Version, OpenTool<Files, Steps, Verbs>>>> {
  const { name, title, versions } = draft
  return {
    name,
    title,
    packages: versions.flatMap((version) => packagesOf(draft, version)),
    needed: [name, ...versions.map((version) => `${name}@${version}` as const)],
    open: (host, options) =>
      mapKeys(versions, (version) => openTool(draft, openingOf(draft, host, version), options)),
    each: (opened) => versions.map((version) => opened[version]),
  }
}

type Named<Version extends string> = Pick<
  ToolDraft<string, Version, never, never, never, never, never>,
  'name' | 'packages' | 'service'
>

function packagesOf<Version extends string>(
  { packages }: Pick<Named<Version>, 'packages'>,
  version: Version,
): readonly string[] {
  return typeof packages === 'function' ? packages(version) : packages
}

function openingOf<Version extends string>(
  { name, service = '' }: Named<Version>,
  host: Host,
  version: Version,
): Opening<Version> {
  return {
    host,
    name: version === '' ? name : `${name}@${version}`,
    service: typeof service === 'function' ? service(version) : service,
    version,
  }
}

const unconditional: Found = { present: true, version: null, healthy: true, reason: null }

function openTool<
  Version extends string,
  Options,
  Parts extends object,
  Files extends FileDrafts,
  Steps extends StepKinds,
  Verbs extends object,
>(
  draft: ToolDraft<string, Version, Options, Parts, Files, Steps, Verbs>,
  opening: Opening<Version>,
  options: Options | undefined,
): OpenTool<Files, Steps, Verbs> {
  const parts = { ...opening, ...orEmpty(draft.open?.(opening, options)) }
  const { name } = opening
  const detect = async () => (await draft.detect?.(parts)) ?? unconditional
  const setUp = async () => draft.setUp?.(parts)
  const packages = packagesOf(draft, opening.version)
  const { dataDirectories = [], isOptional = false } = draft
  const program = { name, packages, dataDirectories, detect, setUp, isOptional }
  const managed: ManagedFiles[] = []
  const fileParts: FileParts = {
    ...filePartsOf(parts, draft.loading?.(parts), detect),
    manages: (each) => void managed.push(each),
  }
  const opened = {
    name,
    managed,
    installation: packages.length === 0 ? undefined : programOf(opening.host, program),
    detect,
    setUp,
    reconcile: async () => void (await draft.reconcile?.(parts)),
    steps: {
      ...orEmpty(draft.steps?.(parts)),
      ...bindSteps(orEmpty(draft.files?.(parts)), fileParts, name),
    },
  }
  const verbs = orEmpty(draft.verbs?.(parts))
  const hidden = Object.keys(verbs).find((verb) => verb in opened)
  if (hidden !== undefined) throw new Error(`the verb ${hidden} of ${name} would hide that of every tool`)
  return { ...verbs, ...opened }
}

function filePartsOf(
  { host, name }: Opening,
  loading: Loading | undefined,
  detect: () => Promise<Found>,
): FileParts {
  const assertAvailable = async () => {
    const { present, reason } = await detect()
    if (!present) throw Unavailable(reason ?? undefined)
  }
  const loadable = () => {
    if (loading === undefined) throw new Error(`${name} does not declare how its files are loaded`)
    return { name, files: host.files, run: host.run, loading, assertAvailable }
  }
  return { host, owned: () => ownedTool(loadable()), edited: (path) => editedTool(loadable(), path) }
}
