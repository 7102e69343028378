import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** A home for benchmarks, owned by a uid that no account of this machine has. */
export interface Home {
  readonly folder: string
  readonly path: string
  readonly uid: number
  remove(): void
}

const uid = 64_321

/** Makes the home of an account that exists for the panel alone. Needs root, as the panel changes to its uid. */
export function makeHome(): Home {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-bench-`)
  const path = `${folder}/home`
  mkdirSync(path, { mode: 0o700 })
  chownSync(path, uid, uid)
  return { folder, path, uid, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The same in memory: for work that writes many small files, whose time on a shared disk differs sixfold from one minute to the next. */
export function makeHomeInMemory(): Home {
  const home = makeHome()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=4g,mode=700,uid=${uid},gid=${uid}`, 'tmpfs', home.path], {
    timeout: 10_000,
  })
  const remove = () => {
    execFileSync('umount', ['--lazy', home.path], { timeout: 10_000 })
    home.remove()
  }
  return { ...home, remove }
}

/** Prints once which measurements are skipped on this machine. */
export function needsRoot(what: string): boolean {
  if (process.getuid?.() === 0) return true
  process.stderr.write(`Left out: ${what} needs root\n`)
  return false
}
