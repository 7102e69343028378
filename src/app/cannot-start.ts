import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The panel cannot start for a reason that the administrator can fix: one line that states the error and the remedy. */
export class CannotStart extends Error {}

const kept = ['panel.lock', 'hostreeve.db', 'secret.key']

/** Creates the data directory if it is missing; rejects one that this user cannot write to. */
export function demandDataFolder(folder: string): void {
  try {
    makeFolder(resolve(folder))
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    for (const path of kept.map((name) => `${folder}/${name}`).filter(existsSync))
      accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw dataFolderUnusable(folder, error)
  }
}

/** Creates a folder below those that exist. Node's own recursive form never ends in /proc, which denies that its folders exist. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return void accessSync(`${folder}/.`)
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
}

/** What is wrong with a usable data folder, a sentence each: others can read it, or its key has lost its store. */
export function dataFolderWarnings(
  folder: string,
  { hasStore = true }: { readonly hasStore?: boolean } = {},
): readonly string[] {
  const open = ['', '/hostreeve.db', '/secret.key']
    .map((name) => folder + name)
    .filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0)
    .map((path) => `Other users can read ${resolve(path)}: run chmod go= ${resolve(path)}`)
  const hasLostStore = hasStore && existsSync(`${folder}/secret.key`) && !existsSync(`${folder}/hostreeve.db`)
  const lost = `${resolve(folder)} contains the key secret.key but no store hostreeve.db: the panel starts empty. If there was one, stop the panel and put it back from a backup`
  return hasLostStore ? [...open, lost] : open
}

/** States why the data directory, or a file in it, cannot be used. */
export function dataFolderUnusable(folder: string, cause: unknown): CannotStart {
  const found = {
    EACCES: 'belongs to another user',
    EPERM: 'belongs to another user',
    EROFS: 'cannot be written to',
    ENOENT: 'cannot be created',
    ENOSPC: 'has no room left',
  }
  const asFile = { ENOTDIR: 'is no folder', EEXIST: 'is no folder' }
  const reason = wordsFor({ ...found, ...asFile }, cause)
  return new CannotStart(
    `The data folder ${resolve(folder)} ${reason}: start the panel as the user it belongs to, or name another folder with HOSTREEVE_DATA_DIR`,
    { cause },
  )
}

/** States why the panel cannot listen on the configured address. */
export function cannotListen(
  { host, port }: { readonly host: string; readonly port: string },
  cause: unknown,
): CannotStart {
  const known = {
    EADDRINUSE: `Port ${port} of ${host} is taken by another program: stop it, or choose another port with HOSTREEVE_PORT`,
    EACCES: `Only root may listen on port ${port}: start the panel as root, or choose a port from 1024 with HOSTREEVE_PORT`,
    EADDRNOTAVAIL: `${host} is no address of this host: set HOSTREEVE_HOST to one that is, such as 127.0.0.1`,
    ENOTFOUND: `${host} is neither an address nor a known name: set HOSTREEVE_HOST to an address of this host, such as 127.0.0.1`,
  }
  return new CannotStart(wordsFor(known, cause), { cause })
}

/** Shown at the start if the panel does not run as root. */
export const withoutRoot =
  'It runs without root: websites, accounts and programs of the host can be seen, but not changed. For that, start it as root'

function wordsFor(known: Readonly<Record<string, string>>, cause: unknown): string {
  const { code = '', message } = cause as NodeJS.ErrnoException
  return known[code] ?? message
}
