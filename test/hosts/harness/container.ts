import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../../../src/host/run.ts'
import type { RunOptions, RunResult } from '../../../src/host/run.ts'
import { namespacePath } from './network.ts'
import { poll } from './poll.ts'

/** The options of a container, the same for each start. */
export interface ContainerPlan {
  readonly name: string
  /** systemd: PID 1 is systemd. bare: PID 1 only reaps, and services run through their init scripts. */
  readonly init: 'systemd' | 'bare'
  readonly folder: string
  readonly rootPath: string
  readonly cgroup: string
  readonly networkNamespace: string
  /** Folders of this machine that the host sees, read-only. */
  readonly readOnly: readonly { readonly from: string; readonly to: string }[]
}

// The clock has no namespace: a host that may set it sets this machine's. The others reach this machine in the same way.
const withheld = [
  'sys_time',
  'sys_module',
  'sys_rawio',
  'audit_control',
  'audit_read',
  'syslog',
  'wake_alarm',
]

const withoutCapabilities = [
  'setpriv',
  `--bounding-set=${withheld.map((name) => `-${name}`).join(',')}`,
  '--inh-caps=-all',
  '--',
] as const

const endGraceMs = 2000

// The time limit is kept inside: when nsenter is killed before its child, the child's remains belong to nobody in the host and
// its systemd waits ten seconds for them at shutdown.
function limited(timeoutMs: number): string[] {
  return ['timeout', `--kill-after=${endGraceMs / 1000}`, String(timeoutMs / 1000)]
}

const bootLimitMs = 120_000
const shutdownLimitMs = 120_000
const shutdownSignal = 37 // SIGRTMIN+3, which asks systemd and nspawn's stub init alike to halt

/** One start of a host's processes, from boot to halt. */
export class Container {
  readonly #plan: ContainerPlan
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>
  #lastInitPid: number | undefined

  private constructor(plan: ContainerPlan, child: ChildProcess) {
    this.#plan = plan
    this.#child = child
    this.#ended = once(child, 'exit')
  }

  /** Boots, and resolves when the init system reports that it is up (about a second). */
  static async boot(plan: ContainerPlan): Promise<Container> {
    const log = await open(join(plan.folder, 'console.log'), 'a')
    const child = spawn('setpriv', launchArguments(plan), {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: launchEnvironment,
    })
    const container = new Container(plan, child)
    await log.close()
    await container.#untilUp()
    return container
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Runs a command inside, outside its services' control groups, in about 5 ms. */
  async exec(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    const pid = await this.#initPid()
    if (pid === undefined) throw new Error(`host ${this.#plan.name} is not running`)
    const { timeoutMs = 120_000 } = options
    const enter = ['nsenter', '-t', String(pid), '-m', '-u', '-i', '-n', '-p', '-C', '-r', '-w', '--']
    const environment = { ...insideEnvironment, ...options.env }
    const command: [string, ...string[]] = [...withoutCapabilities, ...enter, ...limited(timeoutMs), ...argv]
    const result = await run(command, { ...options, timeoutMs: timeoutMs + 2 * endGraceMs, env: environment })
    return result.durationMs >= timeoutMs && result.code === 137 ? { ...result, code: 124 } : result
  }

  /** Ends every process at once, as a power cut would. */
  async cutPower(): Promise<void> {
    const pid = await this.#initPid()
    if (pid === undefined) this.#child.kill('SIGKILL')
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
    await this.#untilEnded()
  }

  /** Shuts down cleanly: services are stopped first. */
  async shutdown(): Promise<void> {
    const pid = await this.#initPid()
    if (pid === undefined) throw new Error(`host ${this.#plan.name} is not running`)
    process.kill(pid, shutdownSignal)
    await this.#untilEnded()
  }

  async #untilUp(): Promise<void> {
    const { name, folder } = this.#plan
    await poll(`host ${name} to boot`, bootLimitMs, async () => {
      if (!this.isRunning)
        throw new Error(`host ${name} did not boot:\n${await readFile(join(folder, 'console.log'), 'utf8')}`)
      return (await this.#isUp()) ? true : undefined
    }).catch(async (error) => {
      if (this.isRunning) await this.cutPower()
      throw error
    })
  }

  async #isUp(): Promise<boolean> {
    if ((await this.#initPid()) === undefined) return false
    if (this.#plan.init === 'bare') return (await this.exec(['pgrep', '-x', 'sleep'])).code === 0
    return /^(running|degraded)\n/.test((await this.exec(['systemctl', 'is-system-running'])).stdout)
  }

  async #untilEnded(): Promise<void> {
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), shutdownLimitMs)
    if (this.isRunning) await this.#ended
    clearTimeout(timer)
  }

  // nspawn's own children see themselves as PID 1 of the new namespace; checked anew because a host may reboot itself.
  async #initPid(): Promise<number | undefined> {
    if (!this.isRunning) return undefined
    if (this.#lastInitPid !== undefined && (await this.#isInit(this.#lastInitPid))) return this.#lastInitPid
    const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number)
    for (const pid of pids) if (await this.#isInit(pid)) return (this.#lastInitPid = pid)
    return undefined
  }

  async #isInit(pid: number): Promise<boolean> {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '') // ended since it was listed
    return status.includes(`\nPPid:\t${this.#child.pid}\n`) && /\nNSpid:\t\d+\t1\n/.test(status)
  }
}

const insideEnvironment = { HOME: '/root', USER: 'root', LOGNAME: 'root', LC_ALL: '', LANG: 'C.UTF-8' }

const launchEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1',
  SYSTEMD_NSPAWN_API_VFS_WRITABLE: 'network',
  SYSTEMD_NSPAWN_TMPFS_TMP: '0', // /tmp on the host's disk, where tests can look at it from outside
}

// The host dies with the process that started it; what is then left of it is swept by the next run.
function launchArguments(plan: ContainerPlan): string[] {
  const stage = fileURLToPath(new URL('stage.ts', import.meta.url))
  const own = ['--pdeathsig', 'KILL', '--', 'unshare', '--mount', '--propagation', 'slave', '--']
  return [...own, process.execPath, stage, plan.cgroup, '/usr/bin/systemd-nspawn', ...nspawnArguments(plan)]
}

function nspawnArguments(plan: ContainerPlan): string[] {
  const binds = plan.readOnly.map(({ from, to }) => `--bind-ro=${from}:${to}`)
  return [
    '--quiet',
    '--register=no',
    '--keep-unit',
    '--console=read-only',
    `--directory=${plan.rootPath}`,
    `--machine=${plan.name}`,
    `--hostname=${plan.name}`,
    `--network-namespace-path=${namespacePath(plan.networkNamespace)}`,
    '--capability=all',
    `--drop-capability=${withheld.map((name) => `CAP_${name.toUpperCase()}`).join(',')}`,
    '--resolv-conf=off',
    '--timezone=off',
    '--link-journal=no',
    '--system-call-filter=@keyring bpf',
    ...binds,
    ...(plan.init === 'systemd' ? ['--boot'] : ['--as-pid2', '--', '/usr/bin/sleep', 'infinity']),
  ]
}
