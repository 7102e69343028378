import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finishBaseTree } from './base-tree.ts'
import { cacheFolder, withLock } from './cache.ts'
import { indexPackages, repositoryPathInHost } from './deb-repository.ts'
import { exists, installNeeds, must, proxies } from './outer.ts'

/** The tree that every host is a clone of, and the packages it was made from. */
export interface BaseTree {
  readonly rootPath: string
  readonly packagesPath: string
}

const release = 'bookworm'
const builderVersion = 1
const stepTimeoutMs = 1_800_000

let found: Promise<BaseTree> | undefined

/** Gives the base of all hosts, building it first (one to five minutes) when this package list was not built here yet. */
export function ensureBase(): Promise<BaseTree> {
  found ??= findOrBuild()
  return found
}

async function findOrBuild(): Promise<BaseTree> {
  await installNeeds()
  const packages = await packageList()
  const digest = createHash('sha256')
    .update(JSON.stringify([release, process.arch, builderVersion, packages]))
    .digest('hex')
    .slice(0, 16)
  const folder = join(cacheFolder(), `base-${digest}`)
  await withLock('base', stepTimeoutMs, async () => {
    const now = new Date()
    if (await isWhole(folder)) return utimes(join(folder, 'complete'), now, now)
    await removeOldBases()
    await build(folder, packages)
  })
  return { rootPath: join(folder, 'root'), packagesPath: join(folder, 'packages') }
}

async function isWhole(folder: string): Promise<boolean> {
  return (await exists(join(folder, 'complete'))) && exists(join(folder, 'root/usr/lib/systemd/systemd'))
}

async function packageList(): Promise<string[]> {
  const text = await readFile(new URL('../base-packages.txt', import.meta.url), 'utf8')
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')
    .sort()
}

async function build(folder: string, packages: readonly string[]): Promise<void> {
  const startedAt = performance.now()
  console.error(`test hosts: building the base in ${folder} (one to five minutes, once)`)
  const partial = `${folder}.partial`
  const root = join(partial, 'root')
  await rm(partial, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(partial, 'packages'), { recursive: true })
  const origins = await outerOrigins()
  const include = '--include=ca-certificates'
  const mirror = origins.find((origin) => origin.suite === release)?.uri
  if (mirror === undefined)
    throw new Error(`apt on this machine has no source for Debian ${release}, of which test hosts are made`)
  await must([...apart, 'debootstrap', '--variant=minbase', include, release, root, mirror], {
    timeoutMs: stepTimeoutMs,
    env: proxies(),
  })
  await installInTree(root, packages, origins)
  await keepPackages(root, join(partial, 'packages'))
  await finishBaseTree(root)
  const repository = ['--ro-bind', join(partial, 'packages'), repositoryPathInHost]
  await must(insideTree(root, ['apt-get', '-q', 'update'], repository), { timeoutMs: stepTimeoutMs })
  await writeFile(join(partial, 'complete'), `${packages.join('\n')}\n`)
  await rename(partial, folder)
  console.error(`test hosts: base built in ${Math.round((performance.now() - startedAt) / 1000)} s`)
}

// debootstrap mounts /proc and /sys in the tree: in namespaces of its own, so that no mount outlives it and nothing sets the clock.
const apart = [
  'setpriv',
  '--pdeathsig',
  'KILL',
  '--bounding-set=-sys_time',
  '--',
  'unshare',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
  '--',
] as const

// A base that no run used for a month belongs to a package list that is gone.
async function removeOldBases(): Promise<void> {
  for (const name of await readdir(cacheFolder())) {
    const mark = await stat(join(cacheFolder(), name, 'complete')).catch(() => undefined) // not a base, or one without an end
    const isOld = mark !== undefined && Date.now() - mark.mtimeMs > 30 * 24 * 3600 * 1000
    if (isOld) await rm(join(cacheFolder(), name), { recursive: true, force: true })
  }
}

interface Origin {
  readonly suite: string
  readonly uri: string
}

// The base is installed from where this machine's own packages come from, so a machine behind a mirror needs no setting.
async function outerOrigins(): Promise<Origin[]> {
  const ask = [
    'apt-get',
    'indextargets',
    '--format',
    '$(RELEASE) $(REPO_URI)',
    'Created-By: Packages',
  ] as const
  const lines = (await must(ask)).stdout.split('\n')
  return [...new Set(lines)]
    .map((line) => line.split(' '))
    .filter(([suite, uri]) => suite?.startsWith(release) && uri?.startsWith('http'))
    .map(([suite = '', uri = '']) => ({ suite, uri }))
}

async function installInTree(
  root: string,
  packages: readonly string[],
  origins: readonly Origin[],
): Promise<void> {
  const sources = origins.map(({ suite, uri }) => `deb ${uri} ${suite} main\n`).join('')
  await writeFile(join(root, 'etc/apt/sources.list'), sources)
  await writeFile(join(root, 'etc/apt/apt.conf.d/90-build'), await outerAptSettings())
  await writeFile(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 }) // nothing starts while it is installed
  const apt = [
    'apt-get',
    '-q',
    '-y',
    '-o',
    'Dpkg::Options::=--force-unsafe-io',
    '-o',
    'APT::Keep-Downloaded-Packages=true',
  ] as const
  await must(insideTree(root, [...apt, 'update']), { timeoutMs: stepTimeoutMs, env: proxies() })
  await must(insideTree(root, [...apt, 'install', '--no-install-recommends', ...packages]), {
    timeoutMs: stepTimeoutMs,
    env: proxies(),
  })
  await rm(join(root, 'usr/sbin/policy-rc.d'))
  await rm(join(root, 'etc/apt/apt.conf.d/90-build'))
}

async function outerAptSettings(): Promise<string> {
  const { stdout } = await must(['apt-config', 'dump'])
  return stdout
    .split('\n')
    .filter((line) => /^Acquire::(Check-|https?::)/.test(line))
    .join('\n')
}

// As root with every capability but the clock's, and with a process namespace of its own so that no daemon outlives the installation.
function insideTree(
  root: string,
  argv: readonly string[],
  binds: readonly string[] = [],
): [string, ...string[]] {
  const mounts = [
    '--bind',
    root,
    '/',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--ro-bind',
    '/sys',
    '/sys',
    '--ro-bind',
    '/etc/resolv.conf',
    '/etc/resolv.conf',
  ]
  return [
    'bwrap',
    ...mounts,
    ...binds,
    '--tmpfs',
    '/run',
    '--cap-add',
    'ALL',
    '--cap-drop',
    'CAP_SYS_TIME',
    '--unshare-pid',
    '--die-with-parent',
    '--',
    ...argv,
  ]
}

async function keepPackages(root: string, packagesPath: string): Promise<void> {
  const archives = join(root, 'var/cache/apt/archives')
  for (const name of await readdir(archives))
    if (name.endsWith('.deb')) await rename(join(archives, name), join(packagesPath, name))
  await indexPackages(packagesPath)
}
