import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** A home for measuring, which belongs to a uid that no account of this machine has. */
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

/** Says once what is left out on this machine. */
export function needsRoot(what: string): boolean {
  if (process.getuid?.() === 0) return true
  process.stderr.write(`Left out: ${what} needs root\n`)
  return false
}
