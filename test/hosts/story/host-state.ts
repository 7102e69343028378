import { readFile, readdir, readlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Host } from '../harness/index.ts'

/**
 * The state that a change may alter on a host: nginx's files, homes (names, modes, contents), accounts and
 * log folders.
 */
export async function hostState(host: Host): Promise<Readonly<Record<string, string>>> {
  const find = [
    'find',
    '/home',
    '/var/log/hostreeve',
    '/etc/nginx',
    '-not',
    '-name',
    '*.log',
    '-printf',
    '%p %y %m %U:%G %s %l\n',
  ] as const
  const { stdout: listing } = await host.must(find)
  const { stdout: sums } = await host.must([
    'find',
    '/etc/nginx',
    '/home',
    '-type',
    'f',
    '-exec',
    'sha256sum',
    '{}',
    '+',
  ])
  const { stdout: accounts } = await host.must(['cat', '/etc/passwd', '/etc/group', '/etc/shadow'])
  const withoutFolderSizes = (line: string) => line.replace(/^(.* d \d+ \d+:\d+) \d+ /, '$1 ')
  const lines = [...listing.split('\n').map(withoutFolderSizes), ...sums.split('\n')].filter(Boolean).sort()
  return { files: lines.join('\n'), accounts }
}

/** Names of files that a killed or failed change must not leave anywhere. */
export async function leftovers(host: Host): Promise<readonly string[]> {
  const folders = [
    'etc/nginx',
    'home',
    'var/lib/hostreeve-nginx',
    'etc/logrotate.d',
    'etc/systemd/system/nginx.service.d',
  ]
  const found: string[] = []
  for (const folder of folders) {
    const root = join(host.rootPath, folder)
    const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []) // not every host has each of them
    for (const entry of entries)
      if (/hostreeve-(new|old)-|^\.hostreeve/.test(entry.name))
        found.push(relative(host.rootPath, join(entry.parentPath, entry.name)))
  }
  const slot = await readFile(join(host.rootPath, 'etc/nginx/hostreeve/sites/000-candidate.conf'), 'utf8')
  return slot === '' ? found : [...found, '000-candidate.conf is not empty']
}

/** The generation on the disk and the one that nginx reports. */
export async function generations(
  host: Host,
): Promise<{ readonly onDisk: string | undefined; readonly served: string }> {
  const file = await readFile(join(host.rootPath, 'etc/nginx/hostreeve/generation.conf'), 'utf8')
  const ask = [
    'curl',
    '-sS',
    '--max-time',
    '3',
    '--unix-socket',
    '/var/lib/hostreeve-nginx/generation.sock',
    'http://generation/generation',
  ] as const
  return { onDisk: /return 200 ([0-9a-z]+);/.exec(file)?.[1], served: (await host.exec(ask)).stdout }
}

/** The pid of a host's panel on this machine. */
export async function outerPanelPid(host: Host): Promise<number> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [cmdline, groups] = await Promise.all(
      ['cmdline', 'cgroup'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    ) // ended since it was listed
    const isPanel =
      cmdline?.includes('/dist/hostreeve.mjs\0serve') &&
      groups?.includes(`-${process.pid}-`) &&
      groups.includes(`/${host.name}/`)
    if (isPanel && (await readlink(`/proc/${pid}/exe`)).includes('node')) return Number(pid)
  }
  throw new Error(`no panel runs on ${host.name}`)
}
