import { chmod, lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { PinnedAddress } from '../../fetch/index.ts'
import { confinedProgram, folders, inside } from '../confinement.ts'
import { relayPort } from './environment.ts'
import type { RemoteUrl } from './remote-url.ts'
import type { Network } from './run.ts'
import { readSocksTarget, socksReply } from './socks.ts'

/** The connection from one namespace to one host. */
export interface Relay {
  readonly network: Network
  /** The reason why the host could not be reached, if it could not. */
  problem(): string | undefined
  close(): Promise<void>
}

export interface RelayLimits {
  readonly maxBytes: number
  readonly idleMs: number
  readonly connectMs: number
}

const defaults: RelayLimits = { maxBytes: 20 * 1024 ** 3, idleMs: 120_000, connectMs: 15_000 }
const maxConnections = 16
const outside = `${inside}/outside`

/**
 * Opens a connection from a namespace without network to the one host of an address: no other host is dialled, whatever the client
 * requests. The address was resolved and allowed before. For http and https it speaks SOCKS (RFC 1928), for ssh it is a plain tunnel.
 */
export async function openRelay(
  url: RemoteUrl,
  pinned: PinnedAddress,
  limits: Partial<RelayLimits> = {},
): Promise<Relay> {
  await removeDead()
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`)) // mode 0700: only root reaches the socket
  const path = join(folder, 'way')
  const way = new Way(url, pinned, { ...defaults, ...limits })
  const server = createServer({ allowHalfOpen: true }, (inner) => way.take(inner))
  await listening(server, path)
  await chmod(path, 0o666) // the owner's uid connects in its namespace
  return {
    network: networkOf(url, path),
    problem: () => way.problem,
    close: async () => {
      way.end()
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function networkOf(url: RemoteUrl, path: string): Network {
  const program = confinedProgram('owner-git-relay.mjs', 'confined/git-relay.ts')
  const isSource = program.endsWith('.ts')
  const target = `${inside}/${isSource ? 'program/' : ''}${basename(program)}`
  const certificates = '/etc/ssl/certs'
  return {
    protocols: url.scheme === 'http' ? ['http', 'https'] : [url.scheme],
    binds: [
      ...['--ro-bind', process.execPath, `${inside}/node`],
      ...['--ro-bind', isSource ? dirname(program) : program, isSource ? dirname(target) : target],
      ...['--bind', path, outside],
      ...folders(dirname(certificates)),
      ...['--ro-bind-try', certificates, certificates],
    ],
    prefix: [
      `${inside}/node`,
      '--no-warnings',
      '--max-old-space-size=64',
      target,
      String(relayPort),
      outside,
    ],
  }
}

/** The connections of one relay. */
class Way {
  readonly #url: RemoteUrl
  readonly #pinned: PinnedAddress
  readonly #limits: RelayLimits
  readonly #open = new Set<Socket>()
  #bytes = 0
  problem: string | undefined

  constructor(url: RemoteUrl, pinned: PinnedAddress, limits: RelayLimits) {
    this.#url = url
    this.#pinned = pinned
    this.#limits = limits
  }

  take(inner: Socket): void {
    inner.on('error', () => inner.destroy())
    if (this.#open.size >= 2 * maxConnections) return void inner.destroy()
    this.#keep(inner)
    if (this.#url.scheme === 'ssh') return this.#dial(inner, this.#pinned.port)
    readSocksTarget(inner, this.#limits.connectMs).then(
      ({ host, port }) => {
        const isOther = host.toLowerCase() !== this.#url.host.toLowerCase() || !this.#ports().includes(port)
        if (!isOther) return this.#dial(inner, port)
        this.problem ??= `it redirects to ${host.slice(0, 100)}:${port}, which is another host than that of the address`
        inner.end(socksReply(2))
      },
      () => inner.destroy(),
    )
  }

  end(): void {
    for (const socket of this.#open) socket.destroy()
  }

  /** An http server may redirect git to https on the same host. */
  #ports(): readonly number[] {
    return this.#url.scheme === 'http' ? [this.#url.port, 443] : [this.#url.port]
  }

  #dial(inner: Socket, port: number): void {
    const { address, family } = this.#pinned
    const outer = connect({ host: address, port, family, allowHalfOpen: true })
    this.#keep(outer)
    const late = setTimeout(() => outer.destroy(new Error('it does not answer')), this.#limits.connectMs)
    outer.on('error', (error) => {
      clearTimeout(late)
      const code = 'code' in error ? String(error.code) : error.message
      if (outer.bytesRead === 0) this.problem ??= messageOf[code] ?? error.message
      if (this.#url.scheme !== 'ssh' && outer.bytesRead === 0) inner.end(socksReply(5))
      else inner.destroy()
    })
    outer.on('connect', () => {
      clearTimeout(late)
      if (this.#url.scheme !== 'ssh') inner.write(socksReply(0))
      this.#join(inner, outer)
    })
    inner.on('close', () => outer.destroy())
  }

  #join(inner: Socket, outer: Socket): void {
    for (const socket of [inner, outer]) {
      socket.setTimeout(this.#limits.idleMs, () => socket.destroy())
      socket.on('data', (part: Buffer) => {
        this.#bytes += part.length
        if (this.#bytes <= this.#limits.maxBytes) return
        this.problem ??= `more than ${this.#limits.maxBytes} bytes were transferred`
        this.end()
      })
    }
    inner.pipe(outer).pipe(inner)
  }

  #keep(socket: Socket): void {
    this.#open.add(socket)
    socket.on('close', () => this.#open.delete(socket))
  }
}

const messageOf: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it closed the connection',
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
}

const prefix = 'hostreeve-git-'

/** Folders of panel processes that were killed. */
async function removeDead(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1])
    if (!Number.isInteger(pid) || pid === process.pid || isAlive(pid)) continue
    const path = join(tmpdir(), name)
    if ((await lstat(path).catch(() => undefined))?.uid === process.getuid?.())
      await rm(path, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
