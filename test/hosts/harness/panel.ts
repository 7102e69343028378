import { readFile } from 'node:fs/promises'
import type { OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { checkout, checkoutPathInHost } from './host.ts'
import type { Host } from './host.ts'
import type { HttpRequest, HttpResponse } from './http.ts'
import { must } from './outer.ts'
import { installedUnit, makePanelProcess, panelLogPath } from './panel-process.ts'
import type { PanelProcess } from './panel-process.ts'
import { poll } from './poll.ts'

/** The options of a panel's start. */
export interface PanelOptions {
  /** Added to the panel's environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Run instead of the panel of this checkout. */
  readonly argv?: readonly [string, ...string[]]
}

/** A request to the panel; an object as body is sent as JSON. */
export interface PanelRequest {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: OutgoingHttpHeaders
  readonly timeoutMs?: number
}

const panelArgv = [
  `${checkoutPathInHost}/node_modules/.bin/node`,
  `${checkoutPathInHost}/dist/hostreeve.mjs`,
  'serve',
] as const
const readyLimitMs = 120_000
/** Asking systemd costs more than asking the panel, and would take the time that the panel needs to start. */
const aliveEveryMs = 500

let built: Promise<unknown> | undefined

/** Builds the panel of this checkout where its sources have changed, once in a process. */
export async function buildPanel(): Promise<void> {
  await (built ??= must([process.execPath, 'scripts/build.ts'], { cwd: checkout, timeoutMs: 300_000 }))
}

/** Runs the panel of this checkout on a host, and resolves when it is ready. */
export async function startPanel(host: Host, options: PanelOptions = {}): Promise<Panel> {
  if (options.argv === undefined) await buildPanel()
  const environment = { ...defaultEnvironment, ...options.env }
  const panel = new Panel(
    host,
    await makePanelProcess(host, { argv: options.argv ?? panelArgv, environment }),
    environment,
  )
  await panel.start()
  return panel
}

/** Returns a client for a panel that was installed on a host, and runs with the default settings. */
export const installedPanel = (host: Host): Panel => new Panel(host, installedUnit(host), defaultEnvironment)

const defaultEnvironment = {
  HOSTREEVE_HOST: '127.0.0.1',
  HOSTREEVE_PORT: '7070',
  HOSTREEVE_DATA_DIR: '/var/lib/hostreeve',
  HOSTREEVE_ADMIN_EMAIL: 'admin@hosts.test',
  HOSTREEVE_ADMIN_PASSWORD: 'a password for test hosts only',
}

/** A panel on a host, and a client for it that runs on the same host. */
export class Panel {
  readonly host: Host
  readonly environment: typeof defaultEnvironment
  readonly #process: PanelProcess

  constructor(host: Host, process: PanelProcess, environment: typeof defaultEnvironment) {
    this.host = host
    this.environment = environment
    this.#process = process
  }

  /** Starts a panel that was stopped or killed, or whose host booted again; resolves when it is ready. */
  async start(): Promise<void> {
    await this.#process.start()
    await this.untilReady()
  }

  stop(): Promise<void> {
    return this.#process.stop()
  }

  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  /** Kills the panel with SIGKILL. */
  kill9(): Promise<void> {
    return this.#process.kill()
  }

  /** Waits for /readyz; rejects with the panel's log when the panel ends before. */
  async untilReady(): Promise<void> {
    let checkedAt = -Infinity
    await poll('the panel to be ready', readyLimitMs, async () => {
      const status = await this.request('GET', '/readyz').then(
        (answer) => answer.status,
        () => 0,
      ) // nothing listens yet
      if (status === 200) return true
      if (performance.now() < checkedAt + aliveEveryMs) return undefined
      if (!(await this.#process.isAlive())) throw new Error('the panel ended')
      checkedAt = performance.now()
      return undefined
    }).catch(async (cause) => {
      throw new Error(`the panel did not become ready:\n${(await this.log()).slice(-4000)}`, { cause })
    })
  }

  request(method: string, path: string, options: PanelRequest = {}): Promise<HttpResponse> {
    return this.host.request(this.#toHttp(method, path, options))
  }

  /** Signs in, by default as the first superuser; returns the access token. */
  async signIn(
    email = this.environment.HOSTREEVE_ADMIN_EMAIL,
    password = this.environment.HOSTREEVE_ADMIN_PASSWORD,
  ): Promise<string> {
    const response = await this.request('POST', '/api/auth/login', { body: { email, password } })
    const token = (response.json() as { data?: { access_token?: string } }).data?.access_token
    if (token === undefined)
      throw new Error(`sign-in of ${email} answered ${response.status}: ${response.text.slice(0, 500)}`)
    return token
  }

  /** The panel's output on stdout and stderr so far. */
  log(): Promise<string> {
    return readFile(join(this.host.rootPath, panelLogPath), 'utf8')
  }

  #toHttp(method: string, path: string, { token, body, headers, timeoutMs }: PanelRequest): HttpRequest {
    const { HOSTREEVE_HOST: address, HOSTREEVE_PORT: port } = this.environment
    const content = contentOf(body)
    const credentials = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const all = { ...content.headers, ...credentials, ...headers }
    return { method, path, address, port: Number(port), headers: all, body: content.body, timeoutMs }
  }
}

function contentOf(body: unknown): {
  readonly body?: string | Uint8Array
  readonly headers: OutgoingHttpHeaders
} {
  if (body === undefined) return { headers: {} }
  if (typeof body === 'string' || body instanceof Uint8Array)
    return { body, headers: { 'content-type': 'application/octet-stream' } }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}
