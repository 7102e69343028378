import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Stoppable } from '../../../../../test/support/stoppable.ts'
import { asOwner, type Bench, makeBench } from '../../../../host/owner/testing/homes.ts'
import type { Owner } from '../../../../host/owner/index.ts'
import type { HistoryRecorder } from '../../history/history-recorder.ts'

export { skip } from '../../../../host/owner/testing/homes.ts'

/** The home of a hosting user of its own, for the proof of a step. */
export type Home = Bench['alice']

let bench: Bench | undefined

/** An empty home: the same one each time, so that the helper that works in it stays warm. A test file removes it in its `after`. */
export function makeHome(): Home {
  bench ??= makeBench()
  const { alice } = bench
  const names = readdirSync(alice.home).map((name) => join(alice.home, name))
  if (names.length > 0) execFileSync('chattr', ['-R', '-f', '-i', ...names])
  for (const name of names) rmSync(name, { recursive: true })
  return alice
}

/** Ends the helper and removes the home; the next test file makes another one. */
export async function removeHome(): Promise<void> {
  await bench?.remove()
  bench = undefined
}

/** Opens a home as a panel does when it starts, its calls counted. */
export function openHome(home: Home, door: Stoppable['door']) {
  const owner = door(bench!.owners.of(home)) as Owner
  const recorder: HistoryRecorder = {
    replacing: async (_, work) => work(owner),
    replacingLate: async (_, work) => work(owner, async () => {}),
    replacingMany: async (_, work) => work(owner, { maxFileBytes: 0, keep: async () => ({ notKept: 0 }) }),
    follow: async () => {},
  }
  return { owner, ownerOf: async () => owner, recorder }
}

/** Runs a script as the owner of a home would. */
export const sh = (script: string) => (home: Home) => asOwner(home, 'sh', '-ec', script)

/** What is in a home but hidden files: `folder/`, `link -> target`, `file: content`, with unusual modes. */
export function lookAt({ home }: Home): readonly string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/(?:^|\/)\./.test(path))
    .toSorted()
    .map((path) => {
      const stat = lstatSync(join(home, path))
      const mode = stat.mode & 0o777
      const right = mode === 0o755 || mode === 0o644 || stat.isSymbolicLink() ? '' : ` (${mode.toString(8)})`
      if (stat.isDirectory()) return `${path}/${right}`
      if (stat.isSymbolicLink()) return `${path} -> ${readlinkSync(join(home, path))}`
      const isText = stat.size < 100 && !/\.(?:gz|tar|zip)$/.test(path)
      return `${path}${right}${isText ? `: ${readFileSync(join(home, path), 'utf8').trim()}` : ''}`
    })
}
