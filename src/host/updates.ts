import { problem, Unavailable } from '../core/problem.ts'
import { limits, messageOf, settings } from './apt.ts'
import type { Run, RunOptions, RunResult } from './run.ts'

export const UpdatesUnknown = problem('updates_unknown', 500, 'The pending updates could not be determined')

const RefreshFailed = problem('refresh_failed', 500, 'The package lists could not be fetched')

/** A package of which the lists have a newer version. */
export interface PendingUpdate {
  /** With the architecture if it is not that of the host: `libc6:i386`. */
  readonly name: string
  /** Null if it is not installed: another update needs it. */
  readonly current: string | null
  readonly candidate: string
  /** The archives that offer it, such as `Debian-Security:12/stable-security`. */
  readonly sources: readonly string[]
  readonly isSecurity: boolean
  /** True if an administrator has put it on hold. */
  readonly isHeld: boolean
  /** True if it is not installed with the others: packages would be removed for it, or its roll-out has not reached this host. */
  readonly isKeptBack: boolean
}

const readLimits = { timeoutMs: 60_000, maxBytes: 4 * 1024 * 1024 }
const simulated = (...order: readonly string[]): [string, ...string[]] => [
  'apt-get',
  '--simulate',
  '--no-install-recommends',
  ...order,
]

/** Lists the pending updates by what apt would do, without waiting for its lock (apt-get(8)). Changes nothing. */
export async function pendingUpdates(run: Run): Promise<readonly PendingUpdate[]> {
  const [all, taken, held] = await Promise.all([
    run(simulated('--ignore-hold', 'dist-upgrade'), readLimits),
    run(simulated('--with-new-pkgs', 'upgrade'), readLimits),
    run(['apt-mark', 'showhold'], readLimits),
  ])
  if (all.code === 127) throw Unavailable('apt is not installed')
  const installed = new Set(parseInstalled(complete(taken)).map(({ name }) => name))
  const onHold = new Set(complete(held).split('\n').filter(Boolean))
  return parseInstalled(complete(all)).map((each) => {
    const isHeld = onHold.has(each.name)
    return { ...each, isHeld, isKeptBack: !isHeld && !installed.has(each.name) }
  })
}

interface Fetching {
  readonly onLine?: (line: string) => void
  readonly signal?: AbortSignal
}

/**
 * Fetches the package lists. Without the error mode, a list that cannot be fetched is a warning, and the old
 * one stays (apt 2.1.8).
 */
export async function fetchLists(run: Run, { onLine, signal }: Fetching): Promise<void> {
  const breakable: RunOptions = signal === undefined ? limits : { ...limits, signal }
  const lists = await run(['apt-get', ...settings, '-o', 'APT::Update::Error-Mode=any', 'update'], breakable)
  for (const line of lists.stdout.split('\n').filter(Boolean)) onLine?.(line)
  if (signal?.aborted) throw RefreshFailed('cancelled')
  if (lists.code !== 0) throw RefreshFailed(messageOf(lists))
}

function complete({ code, stdout, stderr, isCut }: RunResult): string {
  if (code === 0 && !isCut) return stdout
  throw UpdatesUnknown(stderr.trim().slice(-2000) || `apt ended with exit status ${code}`)
}

// Inst libssl3 [3.0.11-1] (3.0.15-1 Debian:12.8/stable, Debian-Security:12/stable-security [amd64]) []
const line = /^Inst (\S+) (?:\[(\S+)\] )?\((\S+) (.*?) ?\[\S+\]\)/gm

/** Parses the packages that a simulation of apt-get would install. */
export function parseInstalled(
  output: string,
): readonly Pick<PendingUpdate, 'name' | 'current' | 'candidate' | 'sources' | 'isSecurity'>[] {
  return [...output.matchAll(line)].map(([, name = '', current = null, candidate = '', origin = '']) => {
    const sources = origin.split(', ').filter(Boolean)
    return { name, current, candidate, sources, isSecurity: sources.some(isSecurityArchive) }
  })
}

/** Debian names its archives of security updates `stable-security`, Ubuntu `jammy-security`. */
const isSecurityArchive = (source: string): boolean => /\bsecurity\b/i.test(source)
