import { Semaphore } from '../core/semaphore.ts'
import { BadRequest, problem, Unavailable } from '../core/problem.ts'
import type { Run, RunOptions, RunResult } from './run.ts'
import { limits, messageOf, settings } from './apt.ts'
import { fetchLists, type PendingUpdate, pendingUpdates } from './updates.ts'

export const InstallFailed = problem('install_failed', 500, 'The packages could not be installed')

export const RemoveFailed = problem('remove_failed', 500, 'The packages could not be removed')

export interface PackagesFound {
  readonly present: boolean
  readonly kind: 'apt' | 'dnf' | 'yum' | 'none'
  readonly version: string | null
  readonly healthy: boolean
  readonly reason: string | null
}

/** The progress of an installation: `done` of `total` phases, and the current one. */
export interface InstallProgress {
  readonly phase: 'lists' | 'download' | 'install'
  readonly done: number
  readonly total: number
}

export interface InstallOptions {
  readonly onProgress?: (progress: InstallProgress) => void
  /** Receives the lines that the package manager prints while it installs. */
  readonly onLine?: (line: string) => void
  /** Stops before the installation proper, which is never interrupted: that would leave packages half configured. */
  readonly signal?: AbortSignal
  /** Variables that the set-up of the packages reads. Never for secrets. */
  readonly env?: Readonly<Record<string, string>>
}

export interface RemoveOptions {
  /** Receives a line on each phase. */
  readonly onProgress?: (line: string) => void
  /** Receives the lines that the package manager prints while it removes. */
  readonly onLine?: (line: string) => void
  /** Stops before the removal proper, which is never interrupted. */
  readonly signal?: AbortSignal
}

/** The packages of the distribution. */
export interface Packages {
  detect(): Promise<PackagesFound>
  /** Undefined when it is not installed. */
  version(name: string): Promise<string | undefined>
  /** The names of all installed packages, sorted. */
  installed(): Promise<readonly string[]>
  /** The names of all packages that are installed, or unpacked at least in part. */
  unpacked(): Promise<readonly string[]>
  /** The names of those that were installed as dependencies. */
  automatic(): Promise<readonly string[]>
  /** Marks installed packages as dependencies, which apt may remove when nothing needs them any more. */
  markAutomatic(names: readonly string[]): Promise<void>
  /** Completes packages that a kill left half installed or half configured; no-op if there are none. */
  finish(): Promise<void>
  /** One installation or removal at a time; others wait. */
  install(names: readonly string[], options?: InstallOptions): Promise<void>
  /** Keeps their configuration. Fails with apt's message if other packages need them; missing packages are not a failure. */
  remove(names: readonly string[], options?: RemoveOptions): Promise<void>
  /** The pending updates, as the lists that were fetched last have them. */
  updates(): Promise<readonly PendingUpdate[]>
  /** The names of packages that were unpacked but whose set-up failed or was broken off. */
  unfinished(): Promise<readonly string[]>
  /** Fetches the lists; fails if one of them cannot be fetched. */
  refresh(options?: Pick<InstallOptions, 'onLine' | 'signal'>): Promise<void>
  /**
   * Updates installed packages, and installs what their new versions need; removes nothing, and leaves held
   * packages as they are. Those that were dependencies are no longer marked as such.
   */
  upgrade(names: readonly string[], options?: InstallOptions): Promise<void>
}

const packageName = /^[a-z0-9][a-z0-9+.-]{0,127}$/
const withArchitecture = /^[a-z0-9][a-z0-9+.-]{0,127}(?::[a-z0-9-]{1,32})?$/
const phases = ['lists', 'download', 'install'] as const
/** A dpkg that is broken off leaves packages half configured. */
const unbroken: RunOptions = { ...limits, isLasting: true }
const configureAll = ['dpkg', '--configure', '-a', '--force-confdef', '--force-confold'] as const
const listLimits = { timeoutMs: 30_000, maxBytes: 4 * 1024 * 1024 }

/** Opens the packages of the host. dnf and yum are recognised but not supported. */
export function openPackages(run: Run): Packages {
  const dpkg = new Semaphore(1)
  return {
    detect: () => detect(run),
    version: (name) => installedVersion(run, checked(name)),
    installed: () => namesWhere(run, isInstalled),
    unpacked: () => namesWhere(run, isUnpacked),
    automatic: () => automaticNames(run),
    markAutomatic: (names) => markAutomatic(run, names),
    finish: () =>
      dpkg.run(async () => {
        const finished = await finishInterrupted(run)
        if (finished.code !== 0) throw InstallFailed(messageOf(finished))
      }),
    // what others need is not removed for it, such as the packages of a rival server
    install: (names, options = {}) =>
      dpkg.run(() =>
        install(run, ['--no-remove', 'install', '--', ...names.map((name) => checked(name))], options),
      ),
    remove: (names, options = {}) =>
      dpkg.run(() =>
        remove(
          run,
          names.map((name) => checked(name)),
          options,
        ),
      ),
    updates: () => pendingUpdates(run),
    unfinished: () => namesWhere(run, isUnfinished),
    refresh: (options = {}) =>
      dpkg.run(async () => {
        await assertApt(run)
        await fetchLists(run, options)
      }),
    upgrade: (names, options = {}) => {
      const order = names.map((name) => checked(name, withArchitecture))
      return dpkg.run(() =>
        install(run, ['--no-remove', '--only-upgrade', 'install', '--', ...order], options),
      )
    },
  }
}

async function detect(run: Run): Promise<PackagesFound> {
  const { code, stdout } = await run(['apt-get', '--version'], { timeoutMs: 5000 })
  if (code !== 127)
    return {
      present: true,
      kind: 'apt',
      version: /^apt (\S+)/.exec(stdout)?.[1] ?? null,
      healthy: code === 0,
      reason: code === 0 ? null : `apt-get --version failed with exit code ${code}`,
    }
  for (const kind of ['dnf', 'yum'] as const) {
    if ((await run([kind, '--version'], { timeoutMs: 5000 })).code === 127) continue
    return {
      present: true,
      kind,
      version: null,
      healthy: false,
      reason: `packages are installed with ${kind} here, which the panel does not support`,
    }
  }
  return { present: false, kind: 'none', version: null, healthy: false, reason: 'apt is not installed' }
}

async function installedVersion(run: Run, name: string): Promise<string | undefined> {
  const { code, stdout } = await run(
    ['dpkg-query', '--show', '--showformat=${db:Status-Status} ${Version}', name],
    { timeoutMs: 10_000 },
  )
  return code === 0 ? /^installed (\S+)/.exec(stdout)?.[1] : undefined
}

/** The names of all packages that dpkg knows, with their states. */
async function statesOfPackages(run: Run): Promise<readonly (readonly [name: string, state: string])[]> {
  const listed = await run(
    ['dpkg-query', '--show', '--showformat=${db:Status-Status} ${Package}\\n'],
    listLimits,
  )
  if (listed.code !== 0 || listed.isCut)
    throw InstallFailed(`the packages cannot be listed: ${messageOf(listed)}`)
  return [...listed.stdout.matchAll(/^(\S+) (\S+)$/gm)].map(([, state = '', name = '']) => [name, state])
}

async function namesWhere(run: Run, isWanted: (state: string) => boolean): Promise<readonly string[]> {
  const found = (await statesOfPackages(run)).flatMap(([name, state]) => (isWanted(state) ? [name] : []))
  return [...new Set(found)].sort()
}

const isInstalled = (state: string): boolean => state === 'installed'
const isUnfinished = (state: string): boolean => /^(?:unpacked|half-|triggers-)/.test(state)
const isUnpacked = (state: string): boolean => state !== 'not-installed' && state !== 'config-files'

async function automaticNames(run: Run): Promise<readonly string[]> {
  const listed = await run(['apt-mark', 'showauto'], listLimits)
  if (listed.code !== 0 || listed.isCut)
    throw InstallFailed(`the packages cannot be listed: ${messageOf(listed)}`)
  return listed.stdout.split('\n').filter(Boolean)
}

async function markAutomatic(run: Run, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  const marked = await run(['apt-mark', 'auto', '--', ...names], listLimits)
  if (marked.code !== 0) throw InstallFailed(messageOf(marked))
}

async function assertApt(run: Run): Promise<void> {
  const found = await detect(run)
  if (found.kind !== 'apt') throw Unavailable(found.reason ?? undefined)
}

async function install(
  run: Run,
  order: readonly string[],
  { onProgress, onLine, signal, env }: InstallOptions,
): Promise<void> {
  await assertApt(run)
  const enter = (phase: InstallProgress['phase']) =>
    onProgress?.({ phase, done: phases.indexOf(phase), total: phases.length })
  const breakable: RunOptions = signal === undefined ? limits : { ...limits, signal }
  enter('lists')
  const lists = await run(['apt-get', ...settings, 'update'], breakable)
  enter('download')
  const download = await run(['apt-get', ...settings, '--download-only', ...order], breakable)
  if (signal?.aborted) throw InstallFailed('cancelled before anything was installed')
  // outdated lists may still work: the failure is reported only when the packages cannot be installed
  if (download.code !== 0)
    throw InstallFailed(
      lists.code === 0 ? messageOf(download) : `${messageOf(download)}\n${messageOf(lists)}`,
    )
  enter('install')
  const installed = await aptPrepared(run, order, { onLine, env })
  if (installed.code !== 0) throw InstallFailed(messageOf(installed))
}

/** Simulates first: a package that others depend on would remove these too, which the caller did not ask for. */
async function remove(
  run: Run,
  names: readonly string[],
  { onProgress, onLine, signal }: RemoveOptions,
): Promise<void> {
  await assertApt(run)
  const unpacked = await namesWhere(run, isUnpacked)
  const present = names.filter((name) => unpacked.includes(name))
  if (present.length === 0) return
  onProgress?.(`Checking which packages depend on ${present.join(', ')}`)
  const breakable: RunOptions = signal === undefined ? limits : { ...limits, signal }
  const simulated = await run(['apt-get', ...settings, '--simulate', 'remove', '--', ...present], breakable)
  if (signal?.aborted) throw RemoveFailed('cancelled before anything was removed')
  if (simulated.code !== 0) throw RemoveFailed(messageOf(simulated))
  const others = [...simulated.stdout.matchAll(/^Remv (\S+)/gm)]
    .map(([, name]) => name!)
    .filter((name) => !present.includes(name))
  if (others.length > 0)
    throw RemoveFailed(
      `${others.slice(0, 10).join(', ')} would be removed too, as they need ${present.join(', ')}`,
    )
  onProgress?.(`Removing ${present.join(', ')}`)
  const removed = await aptPrepared(run, ['remove', '--', ...present], { onLine })
  if (removed.code !== 0) throw RemoveFailed(messageOf(removed))
}

/** After a power failure in the middle of an installation dpkg refuses everything until that one is completed. */
async function aptPrepared(
  run: Run,
  order: readonly string[],
  { onLine, env }: Pick<RunOptions, 'onLine' | 'env'>,
): Promise<RunResult> {
  const argv = ['apt-get', ...settings, ...order] as const
  const followed: RunOptions = {
    ...unbroken,
    ...(onLine && { onLine }),
    ...(env && { env: { ...unbroken.env, ...env } }),
  }
  const first = await run(argv, followed)
  if (first.code === 0 || !/dpkg was interrupted/.test(first.stderr)) return first
  const finished = await finishInterrupted(run, followed)
  return finished.code === 0 ? run(argv, followed) : finished
}

/**
 * dpkg does not configure a package whose unpacking was broken off, and reports no failure; `--fix-broken`
 * alone passes over one whose version was known before.
 */
async function finishInterrupted(run: Run, followed = unbroken): Promise<RunResult> {
  const configured = await run(configureAll, followed)
  const broken = await namesWhere(run, (state) => state === 'half-installed')
  if (broken.length === 0) return configured
  const automatic = (await automaticNames(run)).filter((name) => broken.includes(name))
  const again = ['--no-remove', '--fix-broken', '--reinstall', 'install', '--', ...broken]
  const installed = await run(['apt-get', ...settings, ...again], followed)
  // a package that is named counts as wanted by an administrator from then on
  await markAutomatic(run, automatic)
  return installed
}

function checked(name: string, pattern = packageName): string {
  if (!pattern.test(name)) throw BadRequest(`name: ${name.slice(0, 128)} is not the name of a package`)
  return name
}
