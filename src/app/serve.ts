import { randomBytes } from 'node:crypto'
import { firstPasswordFile, renderFirstPassword } from '../areas/auth/index.ts'
import { createFirstUser } from '../areas/users/index.ts'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { openHost } from '../host/index.ts'
import { peerUid } from '../host/peer-uid.ts'
import { openTools } from '../tools/open-tools.ts'
import { connectionLimits } from '../surfaces/http/malformed.ts'
import { type HttpSurface, openHttp } from '../surfaces/http/server.ts'
import { probe } from '../surfaces/http/probes.ts'
import { serveWebPanel } from '../surfaces/http/web-panel.ts'
import { serveDocuments } from '../surfaces/openapi/serve.ts'
import type { Settings } from '../areas/deps.ts'
import type { Log } from '../core/endpoint.ts'
import type { Credentials } from '../surfaces/http/authenticate.ts'
import { areas } from './areas.ts'
import { cannotListen, dataFolderWarnings, demandDataFolder, withoutRoot } from './cannot-start.ts'
import { readAssets } from './assets.ts'
import { atMostEvery } from './at-most-every.ts'
import { assertServable, type PanelCertificate, panelCertificate } from './certificate.ts'
import { type Config, historyOf, listOf, placeOfStore } from './config.ts'
import { withLocalAccess } from './internal-access.ts'
import { openLog } from './log.ts'
import { openPanel, type Panel } from './panel.ts'
import { installationFolder, paths } from './paths.ts'
import { Start } from './start.ts'
import { version } from './version.ts'

const graceMs = 4000
/** Anyone may ask for /readyz, which writes to the store. */
const readyCheckMs = 2000

/** A panel that listens. */
export interface Serving {
  readonly address: string
  stop(): Promise<void>
}

/** Starts the panel: store, recovery, areas, listeners, first superuser, jobs, in this order. */
export async function serve(config: Config, print: (line: string) => void): Promise<Serving> {
  // folders that others traverse, and what programs create for the host, do not depend on who starts the panel
  process.umask(0o022)
  checkDataFolder(config, print)
  const log = openLog(config.log_level)
  const host = openHost({
    log,
    addresses: { allow: listOf(config.outbound_allow) },
    clocks: `${config.data_dir}/clocks`,
  })
  const firstAdmin = { email: config.admin_email, password: config.admin_password || undefined }
  const listening: Listening = { surface: undefined, internal: [] }
  const settings = { ...settingsOf(config, listening), firstAdmin }
  const panel = await openPanel({ areas, host, tools: openTools(host), settings, log })
  const access = withLocalAccess(panel.gates.credentials, config.data_dir)
  const start = new Start()
  const surface = await openSurface(config, panel, { credentials: access.credentials, log, start })
  const { internal } = listening
  listening.surface = surface
  const stop = async () => {
    const ended = panel.jobs.stop() // those who wait for a job are answered while connections close
    await surface.stop(graceMs, internal)
    await ended
    await panel.close()
    access.close()
    rmSync(`${config.data_dir}/panel.sock`, { force: true })
  }
  try {
    const address = await listenOutside(surface, config)
    internal.push(...(await listenInternally(surface, config.data_dir, panel.ownCalls)))
    await greetFirstAdmin(panel, firstAdmin, { dataDir: config.data_dir, print }) // a password that is shown only once must not be lost to a failed start
    await panel.start()
    start.succeed()
    log.info({ address, version }, 'the panel is ready')
    if (process.getuid?.() !== 0) print(withoutRoot)
    print(`Hostreeve ${version} is ready at ${address}`)
    return { address, stop }
  } catch (error) {
    start.fail()
    await stop()
    throw error
  }
}

interface Listening {
  /** Undefined while the start settles changes, one of which may replace the certificate before it is read. */
  surface: HttpSurface | undefined
  readonly internal: Server[]
}

function settingsOf(config: Config, listening: Listening): Omit<Settings, 'firstAdmin'> {
  return {
    version,
    ...placeOfStore(config),
    homeRoot: '/home',
    history: historyOf(config),
    configuration: config.configuration,
    serveCertificate: (pair: PanelCertificate) => listening.surface?.useCertificate(pair),
    ...replacing(async () => listening.surface?.stop(graceMs, listening.internal)),
  }
}

function checkDataFolder({ data_dir, database_url }: Config, print: (line: string) => void): void {
  demandDataFolder(data_dir)
  for (const warning of dataFolderWarnings(data_dir, { hasStore: database_url === '' }))
    print(`Warning: ${warning}`)
}

/** How this process is replaced. What is left of it is cut off: the new one settles it. */
function replacing(closeListeners: () => Promise<void>): Pick<Settings, 'installation' | 'restart'> {
  const [script = '', ...args] = process.argv.slice(1)
  const become = async (node: string, program: readonly string[]) => {
    await closeListeners()
    process.execve?.(node, [node, ...program, ...args], process.env)
  }
  const restart = () => become(process.execPath, [...process.execArgv, script])
  const folder = installationFolder()
  if (folder === undefined) return { restart }
  const replace = () => become(`${folder}/current/bin/node`, [`${folder}/current/dist/hostreeve.mjs`])
  return { restart, installation: { folder, replace } }
}

interface Surfacing {
  readonly credentials: Credentials
  readonly log: Log
  readonly start: Start
}

async function openSurface(
  config: Config,
  panel: Panel,
  { credentials, log, start }: Surfacing,
): Promise<HttpSurface> {
  const assertWritable = atMostEvery(readyCheckMs, () => panel.store.assertWritable())
  const ready = async () => {
    if (!start.isOver) throw new Error('the panel is starting')
    await assertWritable()
  }
  const certificate = await panelCertificate(config.data_dir, new Date())
  return openHttp({
    routes: panel.routes,
    gates: { ...panel.gates, credentials, starting: () => (start.isOver ? undefined : start.wait()) },
    trustedProxies: listOf(config.trusted_proxies),
    peerUid,
    accessLog: log,
    ...(servesTls(config) && { tls: assertServable(certificate, config.data_dir) }),
    extra: async (app) => {
      probe(app, { ready, metricsToken: config.metrics_token })
      serveDocuments(app, panel.routes)
      return existsSync(`${paths.web}/index.html`)
        ? serveWebPanel(readAssets(paths.web), readFileSync(`${paths.web}/index.html`, 'utf8'))
        : undefined
    },
  })
}

async function listenOutside(surface: HttpSurface, { host, port }: Config): Promise<string> {
  try {
    return await surface.app.listen({ host, port: Number(port) })
  } catch (error) {
    throw cannotListen({ host, port }, error)
  }
}

/**
 * Creates the first superuser. A random password is printed to a terminal only: a log or a journal has more readers than
 * a file of root, and keeps it.
 */
async function greetFirstAdmin(
  panel: Panel,
  { email, password }: { readonly email: string; readonly password: string | undefined },
  { dataDir, print }: { readonly dataDir: string; readonly print: (line: string) => void },
): Promise<void> {
  if (!(await panel.users.queries.isEmpty())) return
  const chosen = password ?? randomBytes(15).toString('base64url')
  const path = `${dataDir}/${firstPasswordFile}`
  const isWritten = password === undefined && !process.stdout.isTTY
  if (isWritten) writeFileSync(path, renderFirstPassword(email, chosen), { mode: 0o600 })
  await createFirstUser(panel.users, email, chosen)
  print(`The first superuser is ${email}`)
  if (isWritten) print(`The password is in ${path} until the first sign-in`)
  else if (password === undefined) print(`The password, shown only this once: ${chosen}`)
}

/** The unix socket of the command line, and a loopback listener for calls of the panel to itself (decision 5.2). */
async function listenInternally(
  surface: HttpSurface,
  dataDir: string,
  ownCalls: Panel['ownCalls'],
): Promise<readonly Server[]> {
  const path = `${dataDir}/panel.sock`
  rmSync(path, { force: true })
  const before = process.umask(0o177)
  const open = () =>
    createServer(connectionLimits, surface.listener).on('clientError', surface.answerMalformed)
  const onSocket = open()
  await listen(onSocket, { path })
  process.umask(before)
  chmodSync(path, 0o600)
  const onLoopback = open()
  await listen(onLoopback, { host: '127.0.0.1', port: 0 })
  ownCalls.reachAt(() => portOf(onLoopback))
  return [onSocket, onLoopback]
}

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the panel has no loopback listener')
  return address.port
}

function listen(
  server: Server,
  where: { readonly path: string } | { readonly host: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, resolve)
  })
}

const servesTls = ({ tls, host }: Config): boolean => tls === 'on' || (tls === 'auto' && !isLoopback(host))

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
