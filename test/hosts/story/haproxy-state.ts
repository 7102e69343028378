import { readFile, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Host } from '../harness/index.ts'

const folders = ['etc/haproxy', 'var/lib/hostreeve-haproxy']

/** Every file of HAProxy with its mode and content, which a failed change must leave unchanged. */
export async function haproxyFiles(host: Host): Promise<string> {
  const there = folders.map((folder) => `/${folder}`)
  const { stdout: listing } = await host.exec([
    'find',
    ...there,
    '-not',
    '-type',
    'd',
    '-printf',
    '%p %y %m %U:%G %s %l\n',
  ])
  const { stdout: sums } = await host.exec(['find', ...there, '-type', 'f', '-exec', 'sha256sum', '{}', '+'])
  return [...listing.split('\n'), ...sums.split('\n')].filter(Boolean).sort().join('\n')
}

/** Names of files that a killed or failed change of HAProxy must not leave behind. */
export async function haproxyLeftovers(host: Host): Promise<readonly string[]> {
  const found: string[] = []
  for (const folder of folders) {
    const entries = await readdir(join(host.rootPath, folder), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => []) // no backup was made yet
    for (const entry of entries)
      if (entry.name.includes('.hostreeve-'))
        found.push(relative(host.rootPath, join(entry.parentPath, entry.name)))
  }
  return found
}

/** The configuration on the disk of a host. */
export function haproxyConfig(host: Host): Promise<string> {
  return readFile(join(host.rootPath, 'etc/haproxy/haproxy.cfg'), 'utf8')
}
