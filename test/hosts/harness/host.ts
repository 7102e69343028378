import { mkdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunOptions, RunResult } from '../../../src/host/run.ts'
import type { ImageName } from '../images.ts'
import { delegateControllers, emptyCgroup, makeCgroup, removeCgroup } from './cgroup.ts'
import { Container } from './container.ts'
import type { ContainerPlan } from './container.ts'
import { repositoryPathInHost } from './deb-repository.ts'
import { makeDisk } from './disk.ts'
import type { Disk } from './disk.ts'
import { openResponse, readResponse } from './http.ts'
import type { HttpRequest, HttpResponse } from './http.ts'
import { ensureImage } from './image.ts'
import { makeNetwork } from './network.ts'
import type { Network } from './network.ts'
import { closeRun, openRun } from './test-run.ts'
import { Wire } from './wire.ts'

/** The options of a host. */
export interface HostOptions {
  /** One network card for each, such as `10.77.0.11/24`; hosts of one process share a switch. */
  readonly addresses?: readonly string[]
  /** Keeps the host's writes in memory, limited to this size (`64m`), to test a full disk. */
  readonly memoryDisk?: string
  /** The tool whose packages are installed in addition to the base. Default: none. */
  readonly image?: ImageName
  /** Packages purged before the host is handed over; they can be installed again from the host's own repository. */
  readonly without?: readonly string[]
}

/** The path of this checkout on a host, read-only. */
export const checkoutPathInHost = '/opt/hostreeve'

/** This checkout on the machine that runs the tests. */
export const checkout = fileURLToPath(new URL('../../../', import.meta.url))
const live = new Set<Host>()

/** Clones the image and boots it with systemd, in about a second. */
export function bootHost(name: string, options: HostOptions = {}): Promise<Host> {
  return Host.make(name, 'systemd', options)
}

/** Clones the image and starts it without systemd, as in a container: services run through their init scripts. */
export function bootBare(name: string, options: HostOptions = {}): Promise<Host> {
  return Host.make(name, 'bare', options)
}

/** A Debian host with its own root file system, processes and network, which lasts until it is removed or its test process ends. */
export class Host {
  readonly name: string
  readonly init: 'systemd' | 'bare'
  /** The host's root file system as this machine sees it, whether the host runs or not. Without /run, which lives in memory. */
  readonly rootPath: string
  readonly #parts: Parts
  readonly #wire: Wire
  #container: Container | undefined

  private constructor(parts: Parts) {
    this.name = parts.plan.name
    this.init = parts.plan.init
    this.rootPath = parts.plan.rootPath
    this.#parts = parts
    this.#wire = new Wire(join(parts.plan.folder, 'wire'), parts.network.namespace, parts.wireCgroup)
  }

  static async make(name: string, init: 'systemd' | 'bare', options: HostOptions): Promise<Host> {
    if (!/^[a-z][a-z0-9]{0,9}$/.test(name))
      throw new Error(`"${name}" is no name for a host: up to ten letters and digits`)
    const host = new Host(await makeParts(name, init, options))
    live.add(host)
    try {
      await host.start()
      if (options.without !== undefined) await host.#purge(options.without)
    } catch (error) {
      await host.remove()
      throw error
    }
    return host
  }

  /**
   * Runs a command inside as root, without capabilities over this machine; rejects only if the host is not
   * running.
   */
  async exec(argv: readonly [string, ...string[]], options?: RunOptions): Promise<RunResult> {
    if (this.#container === undefined) throw new Error(`host ${this.name} is not running`)
    return this.#container.exec(argv, options)
  }

  /** Like `exec`, but rejects with the command's output if its exit code is not 0. */
  async must(argv: readonly [string, ...string[]], options?: RunOptions): Promise<RunResult> {
    const result = await this.exec(argv, options)
    if (result.code === 0) return result
    throw new Error(
      `${this.name}: ${argv.join(' ')}\nended with ${result.code}\n${result.stdout.slice(-2000)}${result.stderr.slice(-2000)}`,
    )
  }

  /** Runs a command as a service of the host's systemd: own control group, systemd's clean environment; about 50 ms. */
  async run(argv: readonly [string, ...string[]], options?: RunOptions): Promise<RunResult> {
    return this.exec(
      ['systemd-run', '--quiet', '--pipe', '--wait', '--collect', '--setenv=HOME=/root', '--', ...argv],
      options,
    )
  }

  /** Sends an HTTP request from inside the host, by default to its own loopback. */
  async request(request: HttpRequest): Promise<HttpResponse> {
    return readResponse(await this.open(request))
  }

  /** Like `request`, but resolves when the headers have arrived: for event streams and large bodies. */
  async open(request: HttpRequest): Promise<IncomingMessage> {
    return openResponse(
      await this.connect(request.port ?? (request.tls ? 443 : 80), request.address),
      request,
    )
  }

  /** Opens a TCP connection from inside the host. */
  connect(port: number, address = '127.0.0.1'): Promise<Socket> {
    return this.#wire.connect(port, address)
  }

  /** Boots a host that was shut down or lost power, from its kept disk. */
  async start(): Promise<void> {
    if (this.#container?.isRunning) throw new Error(`host ${this.name} is running already`)
    await mkdir(this.#parts.plan.cgroup, { recursive: true })
    this.#container = await Container.boot(this.#parts.plan)
  }

  async shutdown(): Promise<void> {
    await this.#container?.shutdown()
  }

  async reboot(): Promise<void> {
    await this.shutdown()
    await this.start()
  }

  /** Ends every process of the host at once; its disk stays as it is. */
  async cutPower(): Promise<void> {
    await this.#container?.cutPower()
  }

  /** Pulls the cable of every card. */
  cutNetwork(): Promise<void> {
    return this.#parts.network.setCables('down')
  }

  restoreNetwork(): Promise<void> {
    return this.#parts.network.setCables('up')
  }

  /** Removes the host with everything that belongs to it; a second call does nothing. */
  async remove(): Promise<void> {
    if (!live.delete(this)) return
    await this.#wire.close()
    if (this.#container?.isRunning) await this.#container.cutPower()
    await emptyCgroup(this.#parts.cgroupName)
    await this.#parts.disk.remove()
    await this.#parts.network.remove()
    await removeCgroup(this.#parts.cgroupName)
    if (live.size === 0) await closeRun()
  }

  async #purge(packages: readonly string[]): Promise<void> {
    await this.must(['apt-get', '-q', '-y', 'purge', '--autoremove', ...packages], { timeoutMs: 120_000 })
  }
}

interface Parts {
  readonly plan: ContainerPlan
  readonly disk: Disk
  readonly network: Network
  readonly cgroupName: string
  readonly wireCgroup: string
}

async function makeParts(name: string, init: 'systemd' | 'bare', options: HostOptions): Promise<Parts> {
  const image = await ensureImage(options.image ?? 'base')
  const { folder: runFolder, prefix } = await openRun()
  const folder = join(runFolder, name)
  await mkdir(folder) // fails when this run has a host of that name
  const disk = await makeDisk(folder, image.layers, name, options.memoryDisk)
  const network = await makeNetwork(prefix, name, options.addresses ?? [])
  const cgroupName = `${prefix}/${name}`
  const cgroup = await makeCgroup(cgroupName)
  await delegateControllers(join(cgroup, '..'))
  const readOnly = [
    { from: image.packagesPath, to: repositoryPathInHost },
    { from: checkout, to: checkoutPathInHost },
  ]
  const plan = {
    name,
    init,
    folder,
    rootPath: disk.rootPath,
    cgroup,
    networkNamespace: network.namespace,
    readOnly,
  }
  return { plan, disk, network, cgroupName, wireCgroup: await makeCgroup(`${prefix}/wires`) }
}
