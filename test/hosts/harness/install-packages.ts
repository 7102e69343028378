import { copyFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { indexPackages } from './deb-repository.ts'
import { must, proxies } from './outer.ts'

/** The Debian release of all test hosts. */
export const release = 'bookworm'

/** The time limit of each step of a build. */
export const stepTimeoutMs = 1_800_000

/** The sources of packages. */
export interface Origin {
  readonly suite: string
  readonly uri: string
}

/**
 * The apt sources of this machine: test hosts use the same ones, so a machine behind a mirror needs no
 * setting.
 */
export async function outerOrigins(): Promise<Origin[]> {
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

/** Installs packages in a tree, and keeps their .deb files in its apt cache. */
export async function installInTree(
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

/** A command as root with every capability but the clock's, and with a process namespace of its own so that no daemon outlives the installation. */
export function insideTree(
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

/** Moves the .deb files of an installation to a folder, and indexes all that are there. */
export async function keepPackages(root: string, packagesPath: string): Promise<void> {
  const archives = join(root, 'var/cache/apt/archives')
  for (const name of await readdir(archives))
    if (name.endsWith('.deb')) await moveFile(join(archives, name), join(packagesPath, name))
  await indexPackages(packagesPath)
}

/** The tree may be an overlay, a file system of its own, out of which nothing can be renamed. */
async function moveFile(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await rm(from)
}
