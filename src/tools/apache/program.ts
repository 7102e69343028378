import { readFile, readlink } from 'node:fs/promises'
import { request } from 'node:http'
import { basename } from 'node:path'
import { Unavailable } from '../../core/problem.ts'
import { absentAsEmpty } from '../../host/proc.ts'
import type { Host } from '../../host/index.ts'
import { hasIpv6, type Mount } from '../nginx/program.ts'
import { type Statuses, type Visit, visitSites } from '../site-client.ts'
import type { ListenAddress } from '../listen-addresses.ts'
import { addressesIn, includedIn } from './addresses.ts'
import type { ApacheLayout } from './layout.ts'
import { generationHeader, generationHost } from './render-own.ts'

/** The running Apache and its command line. */
export interface ApacheProgram {
  /** Undefined when Apache is not installed. */
  version(): Promise<string | undefined>
  check(mounts: readonly Mount[]): Promise<Checked>
  /** The addresses that its configuration has it listen on. */
  addresses(): Promise<readonly ListenAddress[]>
  isRunning(): Promise<boolean>
  /** The generation that the running Apache reports on a new connection; undefined when it does not answer. */
  served(): Promise<string | undefined>
  /** Has Apache include the panel's file among its sites. */
  enableSites(): Promise<void>
  /** Fetches websites from this host, whichever web server serves them. */
  visit(visits: readonly Visit[]): Promise<Statuses>
}

interface Checked {
  readonly isAccepted: boolean
  readonly message: string
  /** The virtual hosts, as `apache2ctl -S` lists them. */
  readonly hosts: string
}

/** Opens the Apache of this host. */
export function openProgram(
  { run, packages, files }: Pick<Host, 'run' | 'packages' | 'files'>,
  layout: ApacheLayout,
): ApacheProgram {
  return {
    version: async () => (await packages.version('apache2'))?.replace(/-[^-]*$/, ''),
    check: (mounts) => check(run, layout, mounts),
    addresses: () => readAddresses({ run, files }, layout),
    isRunning: () => isRunning(layout.pidPath),
    served: () => askGeneration(layout.ports.http),
    visit: (visits) => visitSites(visits, { ports: layout.ports, hasIpv6: hasIpv6() }),
    enableSites: async () => {
      const { code, stderr, stdout } = await run(['a2ensite', '--quiet', 'hostreeve'], { timeoutMs: 30_000 })
      if (code !== 0) throw Unavailable(`a2ensite: ${(stderr.trim() || stdout.trim()).slice(0, 2000)}`)
    },
  }
}

/** The checker. */
export const checkCommand = ({ configPath }: Pick<ApacheLayout, 'configPath'>) =>
  ['apache2ctl', '-t', '-f', configPath] as const

/** Lists the virtual hosts: Apache is silent about names that two of them have. A list alone would not look for certificates. */
const listCommand = ({ configPath }: Pick<ApacheLayout, 'configPath'>) =>
  ['apache2ctl', '-t', '-D', 'DUMP_VHOSTS', '-f', configPath] as const

const includesCommand = ({ configPath }: Pick<ApacheLayout, 'configPath'>) =>
  ['apache2ctl', '-t', '-D', 'DUMP_INCLUDES', '-f', configPath] as const

const checkTimeoutMs = 60_000
const maxListBytes = 16 * 1024 * 1024
const answerTimeoutMs = 500

/** Runs the checker in a mount namespace in which the candidates are mounted at their final paths. */
async function check(run: Host['run'], layout: ApacheLayout, mounts: readonly Mount[]): Promise<Checked> {
  const binds = mounts.flatMap(({ source, target }) => ['--ro-bind', source, target])
  const asRoot = process.getuid?.() === 0 ? ['--cap-add', 'ALL'] : []
  const confined = ['--die-with-parent', '--dev-bind', '/', '/', ...asRoot, ...binds, '--']
  const limits = { timeoutMs: checkTimeoutMs, maxBytes: maxListBytes }
  const { code, stderr } = await run(['bwrap', ...confined, ...checkCommand(layout)], limits)
  if (code === 127)
    throw Unavailable('bubblewrap, which is needed to check Apache configurations, is not installed')
  if (/^bwrap: execvp/m.test(stderr)) throw Unavailable('Apache is not installed')
  if (/^bwrap: /m.test(stderr))
    throw Unavailable(`Apache configurations cannot be checked on this host: ${stderr.trim()}`)
  const message = code === 124 ? 'apache2ctl -t timed out' : messageIn(stderr)
  if (code !== 0) return { isAccepted: false, message, hosts: '' }
  const list = await run(['bwrap', ...confined, ...listCommand(layout)], limits)
  return { isAccepted: list.code === 0, message: messageIn(list.stderr), hosts: list.stdout }
}

async function readAddresses(
  { run, files }: Pick<Host, 'run' | 'files'>,
  layout: ApacheLayout,
): Promise<readonly ListenAddress[]> {
  const limits = { timeoutMs: checkTimeoutMs, maxBytes: maxListBytes }
  const { stdout } = await run(includesCommand(layout), limits)
  const texts: string[] = []
  for (const path of new Set(includedIn(stdout))) {
    const { sizeBytes = 0 } = (await files.facts(path)) ?? {}
    if (sizeBytes <= maxListBytes) texts.push((await files.read(path)) ?? '')
  }
  return addressesIn(texts)
}

const messageIn = (stderr: string): string =>
  stderr
    .split('\n')
    .filter((line) => line !== '' && !isNoise(line))
    .join('\n')

/** AH00558: no name of the server itself. AH00112: a document root that does not exist yet. */
const isNoise = (line: string): boolean =>
  /^Syntax OK$|^Action '|^The Apache error log may have more|^AH00558:|^AH00112:/.test(line)

/** The pid file may be stale, and its pid may belong to another program by now. */
async function isRunning(pidPath: string): Promise<boolean> {
  const pid = Number((await absentAsEmpty(readFile(pidPath, 'utf8'))).trim())
  if (!Number.isInteger(pid) || pid < 2) return false
  const program = basename(await absentAsEmpty(readlink(`/proc/${pid}/exe`))).replace(/ \(deleted\)$/, '')
  return program === 'apache2'
}

function askGeneration(port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const query = request(
    {
      host: '127.0.0.1',
      port,
      method: 'HEAD',
      path: '/',
      headers: { host: generationHost },
      agent: false,
      timeout: answerTimeoutMs,
    },
    (answer) => {
      const header = answer.headers[generationHeader.toLowerCase()]
      resolve(typeof header === 'string' ? header : undefined)
      answer.resume()
    },
  )
  query.on('timeout', () => query.destroy())
  query.on('error', () => resolve(undefined)) // a missing answer is a valid result here: Apache is not running
  query.on('close', () => resolve(undefined))
  query.end()
  return promise
}
