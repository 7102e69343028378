import { spawnSync } from 'node:child_process'
import type { ChangedTree } from '../test/selection.ts'

const defaultHours = 12

/**
 * Compares the tree with the base: HOSTREEVE_CI_BASE, or the published commit that `.ci/base` names, or the last first-parent commit
 * that is 12 hours (HOSTREEVE_CI_HOURS) older than HEAD. The files are undefined where there is no such commit, no git or no whole
 * history. A lock that only has more packages is not among them.
 */
export function readChangedTree(root: string, env: NodeJS.ProcessEnv = process.env): ChangedTree {
  const git = (...args: readonly string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 })
    return status === 0 ? stdout.trim() : undefined
  }
  const committedAt = Number(git('show', '-s', '--format=%ct', 'HEAD') ?? 0)
  const unknown = { files: undefined, committedAt, root }
  if (committedAt === 0 || git('rev-parse', '--is-shallow-repository') !== 'false') return unknown
  const published = () => {
    const named = git('show', 'HEAD:.ci/base') ?? ''
    const isAncestor =
      /^[0-9a-f]{40}$/.test(named) && git('merge-base', '--is-ancestor', named, 'HEAD') !== undefined
    return isAncestor ? named : undefined
  }
  const before = committedAt - Number(env['HOSTREEVE_CI_HOURS'] ?? defaultHours) * 3600
  const base =
    env['HOSTREEVE_CI_BASE'] ??
    (env['HOSTREEVE_CI_HOURS'] === undefined ? published() : undefined) ??
    git('rev-list', '-1', '--first-parent', `--before=@${before}`, 'HEAD')
  const names = base ? git('diff', '--name-only', '-z', '--end-of-options', base, 'HEAD') : undefined
  if (names === undefined) return unknown
  const files = names.split('\0').filter(Boolean)
  const isAddition = onlyAdds(git('show', `${base}:${lock}`), git('show', `HEAD:${lock}`))
  return { files: isAddition ? files.filter((file) => file !== lock) : files, committedAt, root }
}

const lock = 'package-lock.json'

/** True if a lock has each package of the former one as it was: what uses the added ones has changed with them. */
function onlyAdds(former: string | undefined, present: string | undefined): boolean {
  if (former === undefined || present === undefined) return false
  const now = new Map(packagesOf(present))
  return packagesOf(former).every(([path, entry]) => now.get(path) === entry)
}

/** The packages of a lock by path, without the project itself. */
function packagesOf(text: string): readonly (readonly [path: string, entry: string])[] {
  const { packages }: { readonly packages: Readonly<Record<string, unknown>> } = JSON.parse(text)
  return Object.entries(packages).flatMap(([path, entry]) =>
    path === '' ? [] : [[path, JSON.stringify(entry)]],
  )
}
