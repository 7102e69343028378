import type { Repository } from './repository.ts'
import { runGit } from './run.ts'

/** Removes the incomplete packs of an interrupted fetch. git leaves them to its next garbage collection, which the panel never starts. */
export async function removeHalfPacks(
  { account, root, attempt }: Repository,
  sinceMs: number,
): Promise<void> {
  const { code, out } = await attempt({ args: ['rev-parse', '--git-path', 'objects'], signal: undefined })
  if (code !== 0) return
  const path = out.toString('utf8').replace(/\n$/, '')
  const since = `@${Math.floor(sinceMs / 1000)}`
  const args = [
    path.startsWith('/') ? path : `./${root}/${path}`,
    '-maxdepth',
    '2',
    '-type',
    'f',
    '-name',
    'tmp_*',
    '-newermt',
    since,
    '-delete',
  ]
  await runGit(account, { args }, '/usr/bin/find')
}
