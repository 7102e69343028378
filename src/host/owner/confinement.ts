import { constants, existsSync, fstatSync, lstatSync, openSync, closeSync, readlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { OwnerUnavailable } from './problems.ts'

/** A hosting user, as the panel knows them. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly home: string
}

/** A program to run in the confinement. */
export interface Confined {
  readonly nodePath: string
  readonly program: string
}

const nobody = 65534
/** The folder of the panel's own files in a namespace. */
export const inside = '/run/hostreeve'

/** Returns the program's file: next to a bundle, or the source itself. */
export function confinedProgram(bundle = 'owner-confined.mjs', source = 'confined/main.ts'): string {
  const bundled = join(import.meta.dirname, bundle)
  return existsSync(bundled) ? bundled : join(import.meta.dirname, source)
}

/** Opens the home once, so that the folder bound into the namespace is the one checked here. The caller closes it. */
export function openHome(account: Account): { readonly fd: number; readonly identity: string } {
  const { name, uid, gid, home } = account
  if (!Number.isInteger(uid) || uid < 1000 || uid >= nobody || !Number.isInteger(gid) || gid < 100)
    throw OwnerUnavailable(`${name}: not a hosting user (uid ${uid}, gid ${gid})`)
  if (
    !/^(\/[^/\0]+)+$/.test(home) ||
    home.split('/').some((part) => part === '..' || part === '.') ||
    /^\/(usr|proc|sys|dev|run|bin|sbin|lib[^/]*|etc|root|boot)(\/|$)/.test(home)
  ) {
    throw OwnerUnavailable(`${name}: ${home} cannot be a home`)
  }
  let fd: number
  try {
    fd = openSync(home, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  } catch (error) {
    throw OwnerUnavailable(`${name}: the home ${home} is missing or not a folder`, { cause: error })
  }
  const found = fstatSync(fd)
  if (found.uid === uid) return { fd, identity: `${found.dev}:${found.ino}` }
  closeSync(fd)
  throw OwnerUnavailable(`${name}: the home ${home} belongs to uid ${found.uid}`)
}

/** Returns the home's current device and inode, to detect that a running program was given another folder. */
export function homeIdentity(home: string): string | undefined {
  const found = lstatSync(home, { throwIfNoEntry: false })
  return found?.isDirectory() === true ? `${found.dev}:${found.ino}` : undefined
}

/** Returns the command line: namespaces and mounts by bubblewrap, limits by prlimit, rights by setpriv. The home is passed as descriptor 4. */
export function confinedArgs(account: Account, confined: Confined): string[] {
  const { nodePath, program } = confined
  const isSource = program.endsWith('.ts')
  const target = isSource ? `${inside}/program/${basename(program)}` : `${inside}/${basename(program)}`
  return [
    ...namespaces(account, [
      ...folders(inside),
      '--ro-bind',
      nodePath,
      `${inside}/node`,
      '--ro-bind',
      isSource ? dirname(program) : program,
      isSource ? dirname(target) : target,
    ]),
    ...rights(account, '-all'),
    `${inside}/node`,
    '--max-old-space-size=160',
    '--max-semi-space-size=1', // as in the panel: see app/memory.ts
    '--no-warnings',
    target,
  ]
}

/** Returns the command line of a program of the host that runs once in the same confinement, with one capability in addition to the owner's rights. */
export function onceArgs(account: Account, capability: 'linux_immutable', argv: readonly string[]): string[] {
  return [...namespaces(account, []), ...rights(account, `-all,+${capability}`), ...argv]
}

/** Returns the command line of a program of the host that runs once with the owner's rights alone, and with `binds` added to the namespace. */
export function plainArgs(account: Account, binds: readonly string[], argv: readonly string[]): string[] {
  return [...namespaces(account, binds), ...rights(account, '-all'), ...argv]
}

function namespaces(account: Account, binds: readonly string[]): string[] {
  return [
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-net',
    '--hostname',
    'home',
    '--die-with-parent',
    '--new-session',
    '--ro-bind',
    '/usr',
    '/usr',
    ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'].flatMap(systemFolder),
    '--perms',
    '1777',
    '--size',
    String(64 * 1024 * 1024),
    '--tmpfs',
    '/tmp',
    '--dev',
    '/dev',
    ...binds,
    ...folders(dirname(account.home)),
    '--bind-fd',
    '4',
    account.home,
    '--remount-ro',
    '/',
    '--chdir',
    account.home,
    '--',
  ]
}

function rights({ uid, gid }: Account, capabilities: string): string[] {
  return [
    '/usr/bin/prlimit',
    '--core=0',
    '--nofile=1024',
    '--nproc=1024',
    `--data=${1536 * 1024 * 1024}`,
    '/usr/bin/setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--no-new-privs',
    `--bounding-set=${capabilities}`,
    `--inh-caps=${capabilities}`,
    `--ambient-caps=${capabilities}`,
    '--',
  ]
}

// On a merged /usr these are links, otherwise folders.
function systemFolder(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return []
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}

/** Creates the folders down to a path: bubblewrap makes missing parents accessible only to root, and the owner must pass through them. */
export function folders(path: string): string[] {
  const made: string[] = []
  for (let at = path; at !== '/' && at !== '/tmp'; at = dirname(at))
    made.unshift('--perms', '0755', '--dir', at)
  return made
}
