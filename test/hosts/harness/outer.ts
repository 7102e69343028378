import { run } from '../../../src/host/run.ts'
import type { RunOptions, RunResult } from '../../../src/host/run.ts'
import { access } from 'node:fs/promises'

/** A command of the harness that may not fail: rejects with the command and the end of its output. */
export async function must(
  argv: readonly [string, ...string[]],
  options: RunOptions = {},
): Promise<RunResult> {
  const result = await run(argv, options)
  if (result.code === 0) return result
  throw new Error(
    `${argv.join(' ')}\nended with ${result.code}\n${result.stdout.slice(-1500)}${result.stderr.slice(-1500)}`,
  )
}

/** The reason for the user why hosts cannot be created on this machine; undefined if they can. */
export async function reasonAgainstHosts(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'test hosts need Linux'
  if (process.getuid?.() !== 0) return 'test hosts need root: run this command as root'
  const isDebian = await exists('/etc/debian_version')
  return isDebian && (await hasProgram('apt-get'))
    ? undefined
    : 'test hosts need a Debian machine (apt-get, debootstrap and systemd-nspawn)'
}

const needs: readonly (readonly [program: string, debianPackage: string])[] = [
  ['debootstrap', 'debootstrap'],
  ['systemd-nspawn', 'systemd-container'],
  ['ip', 'iproute2'],
  ['bwrap', 'bubblewrap'],
  ['setpriv', 'util-linux'],
  ['mount', 'mount'],
  ['chattr', 'e2fsprogs'],
]

/** Installs the programs that the harness itself runs, where they are missing. */
export async function installNeeds(): Promise<void> {
  const missing: string[] = []
  for (const [program, debianPackage] of needs) if (!(await hasProgram(program))) missing.push(debianPackage)
  if (missing.length === 0) return
  await must(['apt-get', 'update', '-q'], { timeoutMs: 300_000, env: proxies() })
  const install = [
    'apt-get',
    '-o',
    'DPkg::Lock::Timeout=300',
    'install',
    '-y',
    '-q',
    '--no-install-recommends',
    ...missing,
  ] as const
  await must(install, { timeoutMs: 600_000, env: proxies() })
}

/** The caller's proxy settings, which commands that download need in their otherwise clean environment. */
export function proxies(): Record<string, string> {
  const names = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

/** True if the path exists. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

async function hasProgram(program: string): Promise<boolean> {
  for (const folder of ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'])
    if (await exists(`${folder}/${program}`)) return true
  return false
}
