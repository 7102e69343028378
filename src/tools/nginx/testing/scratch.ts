import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHost, type Host } from '../../../host/index.ts'
import { run } from '../../../host/run.ts'
import { nginx as nginxTool, type Nginx } from '../index.ts'
import { below, type NginxLayout } from '../layout.ts'
import { openProgram, type NginxProgram } from '../program.ts'
import { until } from '../../../../test/support/until.ts'
import { freePort } from '../../../../test/support/free-ports.ts'

/** A real nginx for a test, with all its files in one temporary directory and on loopback ports. */
export interface ScratchNginx {
  readonly directory: string
  readonly port: number
  readonly host: Host
  readonly layout: NginxLayout
  readonly nginx: Nginx
  readonly program: NginxProgram
  /** Writes nginx.conf with lines in its `http` block and before it. */
  writeMain(extra?: string, first?: string): Promise<void>
  get(name: string, path?: string): Promise<{ status: number; body: string }>
  stop(): Promise<void>
}

/** Returns why tests with the real nginx are skipped here; undefined when they run. */
export function nginxSkipReason(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root'
  if (spawnSync('nginx', ['-v']).status !== 0) return 'nginx is not installed'
  return spawnSync('bwrap', ['--dev-bind', '/', '/', 'true']).status === 0
    ? undefined
    : 'bubblewrap does not run here'
}

/** Creates an nginx that is not started yet. */
export async function makeScratchNginx(): Promise<ScratchNginx> {
  const directory = await mkdtemp(join(tmpdir(), 'hn-'))
  const port = await freePort()
  const layout: NginxLayout = {
    ...below(`${directory}/etc/hostreeve`),
    configPath: `${directory}/etc/nginx.conf`,
    mediaTypesPath: `${directory}/etc/mime.types`,
    ownConfigPath: `${directory}/etc/conf.d/hostreeve.conf`,
    socketPath: `${directory}/socket/generation.sock`,
    pidPath: `${directory}/nginx.pid`,
    errorLogPath: `${directory}/error.log`,
    logsDirectory: `${directory}/log/sites`,
    deletedLogsDirectory: `${directory}/log/deleted-sites`,
    logrotatePath: `${directory}/logrotate.d/hostreeve`,
    unitDropInPath: `${directory}/unit/hostreeve.conf`,
    challengesDirectory: `${directory}/challenges`,
    cacheDirectory: `${directory}/cache`,
    homesDirectory: `${directory}/www`,
    authoritiesPath: `${directory}/authorities.pem`,
    listen: [`127.0.0.1:${port}`],
    listenTls: [`127.0.0.1:${await freePort()}`],
  }
  await mkdir(`${directory}/etc/conf.d`, { recursive: true })
  const writeMain = (extra = '', first = '') =>
    writeFile(layout.configPath, `${first}${mainConfig(directory, extra)}`)
  await writeMain()
  await run(['chmod', '755', directory])
  const host = openHost()
  const program = openProgram(run, layout)
  const start = async () => {
    const { code, stderr } = await run(['nginx', '-c', layout.configPath], { cwd: directory })
    if (code !== 0) throw new Error(stderr)
  }
  const nginx = nginxTool.open(host, {
    layout,
    program,
    starter: { start, isStoppedOnPurpose: async () => false },
  })
  const stop = async () => {
    const master = await program.master()
    if (master !== undefined) process.kill(master, 'SIGTERM')
    await until(async () => (await program.master()) === undefined)
    await rm(directory, { recursive: true, force: true })
  }
  return {
    directory,
    port,
    host,
    layout,
    nginx,
    program,
    writeMain,
    get: (name, path = '/') => get(port, name, path),
    stop,
  }
}

function mainConfig(directory: string, extra: string): string {
  return `user www-data;
worker_processes 2;
pid ${directory}/nginx.pid;
error_log ${directory}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi;
  scgi_temp_path ${directory}/scgi;
  ${extra}
  include ${directory}/etc/conf.d/*.conf;
}
`
}

function get(port: number, name: string, path: string): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  const query = request(
    { host: '127.0.0.1', port, path, headers: { host: name }, agent: false, timeout: 3000 },
    (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => {
        body += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }))
    },
  )
  query.on('timeout', () => query.destroy(new Error('no answer')))
  query.on('error', reject)
  query.end()
  return promise
}

/** Reads a file; undefined if it does not exist. */
export async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
