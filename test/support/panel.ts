import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { areas as allAreas } from '../../src/app/areas.ts'
import { migrationsOf } from '../../src/app/migrations.ts'
import { openPanel, type Panel } from '../../src/app/panel.ts'
import type { Installation, PanelConfiguration, Settings } from '../../src/areas/deps.ts'
import { effectiveSettings, valuesOf } from '../../src/areas/settings/index.ts'
import type { Area } from '../../src/core/area.ts'
import type { Log } from '../../src/core/endpoint.ts'
import type { AddressOptions, FetchOptions } from '../../src/host/fetch/index.ts'
import { type Host, openHost } from '../../src/host/index.ts'
import type { OwnersOptions } from '../../src/host/owner/index.ts'
import type { Terminals } from '../../src/host/terminal/index.ts'
import { run } from '../../src/host/run.ts'
import { testDatabaseFor } from '../../src/store/testing/open-test-store.ts'
import { type Script, type ScriptedRun, scriptedRun } from '../../src/host/testing/scripted-run.ts'
import { scriptAccounts, scriptPackages, scriptSystemd } from '../../src/host/testing/scripted-host.ts'
import type { IntakeOptions } from '../../src/surfaces/http/intake.ts'
import { openHttp } from '../../src/surfaces/http/server.ts'
import type { PeerUid } from '../../src/surfaces/http/local-peer.ts'
import { serveDocuments } from '../../src/surfaces/openapi/serve.ts'
import { connectProblems } from '../../src/host/connect/index.ts'
import type { DockerOptions } from '../../src/tools/docker/index.ts'
import type { DnsdistOptions } from '../../src/tools/dnsdist/index.ts'
import type { HaproxyOptions } from '../../src/tools/haproxy/index.ts'
import type { HeadscaleOptions } from '../../src/tools/headscale/index.ts'
import type { MariadbOptions } from '../../src/tools/mariadb/index.ts'
import type { MongodbOptions } from '../../src/tools/mongodb/index.ts'
import type { OpenclawOptions } from '../../src/tools/openclaw/index.ts'
import type { PhpPoolsOptions } from '../../src/tools/php/pools.ts'
import type { OpensearchOptions } from '../../src/tools/opensearch/index.ts'
import type { PostgresqlOptions } from '../../src/tools/postgresql/index.ts'
import type { PowerdnsOptions } from '../../src/tools/powerdns/index.ts'
import type { RsyslogOptions } from '../../src/tools/rsyslog/index.ts'
import type { ProxysqlOptions } from '../../src/tools/proxysql/index.ts'
import { type StandInApache, standInApache } from '../../src/tools/apache/testing/stand-in.ts'
import { openTools, type Tools } from '../../src/tools/open-tools.ts'
import { type StandInNginx, standInNginx } from '../../src/tools/nginx/testing/stand-in.ts'
import { documentOf } from './documented.ts'
import { addPerson, type Person, type PersonDraft } from './people.ts'
import { type Answer, type Asked, ask } from './request.ts'

export type { Person, PersonDraft } from './people.ts'
export type { Answer, Asked } from './request.ts'

/** The options of a panel under test. */
export interface TestPanelOptions {
  /** Default: all areas of the panel. Those that the gates need (users, auth, plugins) must be among them. */
  readonly areas?: readonly Area<any, any>[]
  /** Answers commands of the host; asked before the scripts for accounts, packages and services. */
  readonly scripts?: readonly Script[]
  /** Programs that really run, by name; all other commands must be scripted. */
  readonly programs?: readonly string[]
  /** Linux accounts of the host. */
  readonly accounts?: Map<string, { uid: number; home?: string }>
  /** Debian packages that can be installed, with their versions. */
  readonly available?: Readonly<Record<string, string>>
  /** The path of the store. Default: in memory. */
  readonly dataDir?: string
  /**
   * The root of the host's files, kept for a panel that is reopened. Default: a folder that is removed with
   * the panel.
   */
  readonly root?: string
  /** True if nginx has the panel's files from the start. Default: false. */
  readonly hasNginx?: boolean
  /** True if Apache is installed and has the panel's files from the start, and rests. Default: false. */
  readonly hasApache?: boolean
  /** What dnsdist is opened with: the host, layout and starter of one that really runs. */
  readonly dnsdist?: DnsdistOptions
  /** What HAProxy is opened with, such as the `options` of a scratch HAProxy that really runs. */
  readonly haproxy?: HaproxyOptions
  /** What MariaDB is opened with: a connection to a stand-in for the server. */
  readonly mariadb?: MariadbOptions
  /** Where PostgreSQL is: that of a scratch server. */
  readonly postgresql?: PostgresqlOptions
  readonly powerdns?: PowerdnsOptions
  /** The port of a stand-in for OpenSearch. */
  readonly opensearch?: OpensearchOptions
  readonly rsyslog?: RsyslogOptions
  /** What MongoDB is opened with: a connection to a stand-in for the server. */
  readonly mongodb?: MongodbOptions
  /** Where the gateway of the assistant is reached: that of a stand-in. */
  readonly openclaw?: OpenclawOptions
  /** Where the admin interface of ProxySQL is reached: that of a stand-in. */
  readonly proxysql?: ProxysqlOptions
  /** What the control server of the mesh is reached by: a stand-in for its API. */
  readonly headscale?: HeadscaleOptions
  /** What Docker Engine is opened with: a connection to a stand-in for it. */
  readonly docker?: DockerOptions
  /** What the pools of PHP are opened with: a stand-in for php-fpm. */
  readonly php?: PhpPoolsOptions
  /** The resolver, and the internal addresses that all callers may reach. */
  readonly addresses?: AddressOptions
  /** Time limits and trusted certificates of downloads. */
  readonly fetch?: FetchOptions
  /** How the programs that work in homes are run. */
  readonly owners?: OwnersOptions
  /** The variables that set settings of the panel. Default: none. */
  readonly environment?: Readonly<Record<string, string>>
  /** Where the panel is installed. Default: it runs from a checkout. */
  readonly installation?: Installation
  /** Replaces the panel by a fresh one. Default: it cannot. */
  readonly restart?: NonNullable<Settings['restart']>
  /** Receives the certificate that the panel is to serve. Default: it serves no HTTPS. */
  readonly serveCertificate?: NonNullable<Settings['serveCertificate']>
  /** The login shells. Default: the real ones. */
  readonly terminals?: Terminals
  /** Addresses whose `X-Forwarded-For` is believed. */
  readonly trustedProxies?: readonly string[]
  /** The account behind a connection over loopback. Default: all are believed alike. */
  readonly peerUid?: PeerUid
  /** Time and memory limits of request bodies. */
  readonly intake?: IntakeOptions
  /** True in a bench: answers are not compared with the document of the API, which takes time. Default: false. */
  readonly isMeasured?: boolean
}

/** A line of the log. */
export interface Logged {
  readonly level: 'info' | 'warn' | 'error'
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

/** A panel over a store in memory, files in a temporary root and scripted commands; driven through its HTTP surface. */
export interface TestPanel extends Panel {
  readonly app: FastifyInstance
  readonly host: Host
  readonly tools: Tools
  readonly nginx: StandInNginx
  readonly apache: StandInApache
  /** The services of systemd, by name. */
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
  readonly scripted: ScriptedRun
  /** The root of the host's files. */
  readonly root: string
  readonly log: readonly Logged[]
  /** A superuser who is signed in. */
  readonly admin: Person
  /** Creates a user who is signed in. */
  person(draft?: PersonDraft): Promise<Person>
  request(method: string, path: string, asked?: Asked): Promise<Answer>
  /** Closes the panel; fails if a command ran that is not scripted. */
  close(): Promise<void>
}

let opened = 0

/** Opens a panel for a test; close it when the test ends. */
export async function openTestPanel(options: TestPanelOptions = {}): Promise<TestPanel> {
  const root = makeRoot(options.root)
  const log: Logged[] = []
  const services = servicesOf(options)
  const scripted = scriptedRun(...(options.scripts ?? []), ...scriptsOf(options, services))
  const host = openHost({
    root,
    clocks: `${root}/clocks`,
    run: (argv, given) => (options.programs?.includes(argv[0]) ? run : scripted.run)(argv, given),
    ...(options.addresses && { addresses: options.addresses }),
    ...(options.fetch && { fetch: options.fetch }),
    ...(options.owners && { owners: options.owners }),
  })
  if (options.terminals) Object.assign(host, { terminals: options.terminals })
  const nginx = standInNginx(host.files)
  const apache = standInApache(host.files, {
    isInstalled: options.hasApache ?? false,
    isRunning: () => services.get('apache2')?.isActive ?? false,
  })
  const tools = openTools(host, {
    apache: { program: apache, starter: apache.starter },
    nginx: { program: nginx },
    ...(options.dnsdist && { dnsdist: options.dnsdist }),
    lua: { program: nginx },
    ...(options.haproxy && { haproxy: options.haproxy }),
    ...(options.mariadb && { mariadb: options.mariadb }),
    docker: options.docker ?? { connection: noEngine },
    opensearch: options.opensearch ?? { port: 1 }, // nothing listens there
    ...(options.rsyslog && { rsyslog: options.rsyslog }),
    ...(options.php && { phpPools: options.php }),
    ...(options.postgresql && { postgresql: options.postgresql }),
    ...(options.powerdns && { powerdns: options.powerdns }),
    ...(options.mongodb && { mongodb: options.mongodb }),
    ...(options.openclaw && { openclaw: options.openclaw }),
    ...(options.proxysql && { proxysql: options.proxysql }),
    ...(options.headscale && { headscale: options.headscale }),
  })
  if (options.hasNginx) await tools.nginx.setUp()
  if (options.hasApache) await tools.apache.setUp()
  const settings = {
    version: '0.0.0-test',
    dataDir: options.dataDir,
    firstAdmin: { email: 'first@example.com', password: undefined },
    homeRoot: '/home',
    configuration: configurationOf(options.environment),
    ...(await testDatabaseFor({
      dataDir: options.dataDir,
      migrations: migrationsOf(options.areas ?? allAreas),
    })),
    ...(options.restart && { restart: options.restart }),
    ...(options.installation && { installation: options.installation }),
    ...(options.serveCertificate && { serveCertificate: options.serveCertificate }),
  }
  const panel = await openPanel({
    areas: options.areas ?? allAreas,
    host,
    tools,
    settings,
    log: logInto(log),
  })
  const { app, stop, listener } = await openHttp({
    routes: panel.routes,
    gates: panel.gates,
    trustedProxies: options.trustedProxies ?? [],
    accessLog: logInto(log),
    extra: documents(panel),
    ...(options.peerUid && { peerUid: options.peerUid }),
    ...(options.intake && { intake: options.intake }),
  })
  const loopback = createServer(listener)
  panel.ownCalls.reachAt(() => portOf(loopback))
  opened += 1
  const address = `10.99.${opened >> 8}.${opened & 255}` // attempts are counted by address: panels must not share them
  const close = async () => {
    await stop(0, loopback.listening ? [loopback] : [])
    await panel.close()
    if (options.root === undefined) rmSync(root, { recursive: true, force: true })
    scripted.assertAllScripted()
  }
  const person = (draft: PersonDraft = {}) => addPerson(panel.store, draft)
  const assertDocumented = options.isMeasured ? undefined : documentOf(panel.routes)
  const request = async (method: string, path: string, asked: Asked = {}) => {
    const answer = await ask(app, method, path, { ip: address, ...asked })
    assertDocumented?.(method, path, answer)
    return answer
  }
  const admin = await person({ isAdmin: true })
  const stands = { nginx, apache, services, scripted }
  return { ...panel, ...stands, app, host, tools, root, log, admin, person, request, close }
}

/** The settings file is below the root of the host's files. */
function configurationOf(environment: Readonly<Record<string, string>> = {}): PanelConfiguration {
  const running = valuesOf(effectiveSettings(environment, {}))
  return { path: '/var/lib/config.toml', environment, running }
}

/** The loopback listener is opened by the first call of an agent. */
async function portOf(server: Server): Promise<number> {
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the listener has no port')
  return address.port
}

const servicesOf = ({ hasApache = false }: TestPanelOptions) =>
  new Map<string, { isActive: boolean; isEnabled: boolean }>([
    ['nginx', { isActive: true, isEnabled: true }],
    ...(hasApache ? ([['apache2', { isActive: false, isEnabled: false }]] as const) : []),
  ])

function scriptsOf(
  { accounts, available }: TestPanelOptions,
  services: TestPanel['services'],
): readonly Script[] {
  return [
    scriptAccounts(accounts ?? new Map()),
    scriptPackages(new Map(), available ?? {}),
    scriptSystemd(services),
    notInstalled,
  ]
}

/** A program that is not scripted counts as not installed when its version is queried. */
const notInstalled: Script = ([program, ...args]) =>
  args.join(' ') === '--version' ? { code: 127, stderr: `${program}: not found` } : undefined

function makeRoot(root = mkdtempSync(`${tmpdir()}/hostreeve-test-`)): string {
  for (const folder of [
    'home',
    'etc/nginx/conf.d',
    'etc/logrotate.d',
    'run/systemd/system',
    'var/lib',
    'var/log',
  ])
    mkdirSync(`${root}/${folder}`, { recursive: true })
  return root
}

function logInto(log: Logged[]): Log {
  const at = (level: Logged['level']) => (fields: object, message: string) =>
    void log.push({ level, fields: { ...fields }, message })
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

function documents(panel: Panel) {
  return async (app: FastifyInstance) => {
    serveDocuments(app, panel.routes)
    return undefined
  }
}

const engineMissing = () =>
  Promise.reject(connectProblems.NotAnswering('Docker Engine cannot be reached: connect ENOENT'))

/** A host without Docker Engine, whatever runs on this machine. */
const noEngine: NonNullable<DockerOptions['connection']> = {
  send: engineMissing,
  stream: engineMissing,
  upgrade: engineMissing,
}
