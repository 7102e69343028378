import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { request as requestTls } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../../test/support/free-ports.ts'
import { until } from '../../../../test/support/until.ts'
import { openHost, type Host } from '../../../host/index.ts'
import { run } from '../../../host/run.ts'
import { apache as apacheTool } from '../index.ts'
import { type ApacheLayout, below } from '../layout.ts'
import { type ApacheProgram, openProgram } from '../program.ts'

/** What a website answered. */
interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A real Apache for a test, with all its files in one temporary directory and on loopback ports. */
export interface ScratchApache {
  readonly directory: string
  readonly host: Host
  readonly layout: ApacheLayout
  readonly apache: ReturnType<typeof apacheTool.open>
  readonly program: ApacheProgram
  get(name: string, path?: string, headers?: Readonly<Record<string, string>>): Promise<Answered>
  getTls(name: string, path?: string): Promise<Answered>
  stop(): Promise<void>
}

/** Returns why tests with the real Apache are skipped here; undefined when they run. */
export function apacheSkipReason(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root'
  if (spawnSync('apache2', ['-v']).status !== 0) return 'apache2 is not installed'
  return spawnSync('bwrap', ['--dev-bind', '/', '/', 'true']).status === 0
    ? undefined
    : 'bubblewrap does not run here'
}

/** Creates an Apache that is not started yet. */
export async function makeScratchApache(): Promise<ScratchApache> {
  const directory = await mkdtemp(join(tmpdir(), 'ha-'))
  const ports = { http: await freePort(), https: await freePort() }
  const layout = layoutIn(directory, ports)
  for (const folder of ['etc/sites-available', 'challenges', 'certificates', 'www'])
    await mkdir(`${directory}/${folder}`, { recursive: true })
  await writeFile(layout.configPath, mainConfig(directory, ports.http))
  await run(['chmod', '755', directory])
  const host = openHost()
  const control = async (verb: string) => {
    const { code, stderr, stdout } = await run(['apache2', '-f', layout.configPath, '-k', verb], {
      cwd: directory,
    })
    if (code !== 0) throw new Error(stderr || stdout)
  }
  const program = { ...openProgram(host, layout), enableSites: async () => {} }
  const apache = apacheTool.open(host, {
    layout,
    program,
    starter: {
      start: () => control('start'),
      reload: () => control('graceful'),
      isStoppedOnPurpose: async () => false,
      isReplaced: async () => false,
    },
  })
  const stop = async () => {
    if (await program.isRunning()) await control('stop')
    await until(async () => !(await program.isRunning()))
    await rm(directory, { recursive: true, force: true })
  }
  return {
    directory,
    host,
    layout,
    apache,
    program,
    get: (name, path = '/', headers = {}) => get(request, { port: ports.http, name, path, headers }),
    getTls: (name, path = '/') => get(requestTls, { port: ports.https, name, path, headers: {} }),
    stop,
  }
}

function layoutIn(directory: string, ports: ApacheLayout['ports']): ApacheLayout {
  return {
    ...below(`${directory}/etc/hostreeve`),
    configPath: `${directory}/etc/apache2.conf`,
    ownConfigPath: `${directory}/etc/sites-available/hostreeve.conf`,
    modulesDirectory: '/usr/lib/apache2/modules',
    runDirectory: directory,
    pidPath: `${directory}/apache2.pid`,
    errorLogPath: `${directory}/error.log`,
    listen: `127.0.0.1:${ports.http}`,
    listenTls: `127.0.0.1:${ports.https}`,
    ports,
    shared: {
      logsDirectory: `${directory}/log/sites`,
      certificatesDirectory: `${directory}/certificates`,
      challengesDirectory: `${directory}/challenges`,
      logrotatePath: `${directory}/logrotate.d/hostreeve`,
      pidPath: `${directory}/nginx.pid`,
    },
  }
}

function mainConfig(directory: string, port: number): string {
  return `ServerRoot "${directory}"
ServerName localhost
Listen 127.0.0.1:${port}
PidFile "${directory}/apache2.pid"
DefaultRuntimeDir "${directory}"
Mutex file:${directory} default
User www-data
Group www-data
ErrorLog "${directory}/error.log"
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule mime_module /usr/lib/apache2/modules/mod_mime.so
TypesConfig /etc/mime.types
IncludeOptional "${directory}/etc/sites-available/*.conf"
`
}

interface Asked {
  readonly port: number
  readonly name: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

function get(
  send: typeof request | typeof requestTls,
  { port, name, path, headers }: Asked,
): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  const query = send(
    {
      host: '127.0.0.1',
      port,
      path,
      headers: { host: name, ...headers },
      agent: false,
      timeout: 20_000,
      ...(send === requestTls && { servername: name, rejectUnauthorized: false }),
    },
    (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => {
        body += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
    },
  )
  query.on('timeout', () => query.destroy(new Error('no answer')))
  query.on('error', reject)
  query.end()
  return promise
}
