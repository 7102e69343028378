import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { runDirectory, socketOf } from '../../../src/tools/php/pool.ts'
import { renderPool } from '../../../src/tools/php/render-pool.ts'
import type { NginxSite } from '../../../src/tools/nginx/index.ts'
import { makeScratchNginx, type ScratchNginx } from '../../../src/tools/nginx/testing/scratch.ts'
import { stepRun } from '../../support/step-run.ts'
import { until } from '../../support/until.ts'
import { type Figure, median } from '../figures.ts'
import { needsRoot } from '../homes.ts'

const php = '/usr/sbin/php-fpm8.2'
const autocannon = createRequire(import.meta.url).resolve('autocannon')
const master = { username: 'www-data', version: '8.2' }
const page = 'a line of a page that is worth keeping\n'.repeat(500)
/** Some work, as an application has. */
const script = `<?php
for ($sum = '', $turn = 0; $turn < 2000; $turn++) $sum = md5($sum . $turn);
echo str_repeat("a line of a page that is worth keeping\\n", 500);
`

/** The cost of pages as websites of the panel serve them, in CPU time of nginx and PHP, as ratios to configurations by hand. */
export async function measurePages(isShort: boolean): Promise<readonly Figure[]> {
  if (!needsRoot('pages of websites')) return []
  if (!existsSync(php) || spawnSync('nginx', ['-v']).error !== undefined) {
    process.stderr.write('Left out: pages, as nginx or php8.2-fpm is not installed\n')
    return []
  }
  const nginx = await makeScratchNginx()
  const fpm = await startPhp(nginx)
  try {
    const serving = await serve(nginx)
    const size = isShort ? { rounds: 3, requests: 3000 } : { rounds: 7, requests: 20_000 }
    const measure = (what: string, names: readonly [own: string, hand: string], bound: number) =>
      compare({ what, names, bound, ...size }, { ...serving, fpm })
    return [
      await measure('a cached page / nginx with the same bytes in a file', ['cached.test', 'file.test'], 0.9),
      await measure('a page of PHP / nginx and php-fpm by hand', ['php.test', 'hand.test'], 0.95),
      await measure('PHP in the pool of a website / a pool by hand', ['pool.test', 'hand.test'], 0.95),
    ]
  } finally {
    fpm.kill('SIGQUIT')
    if (fpm.exitCode === null) await once(fpm, 'exit')
    await nginx.stop()
    rmSync(runDirectory(master), { recursive: true, force: true })
  }
}

/** Starts php-fpm with the pools of two websites, and one by hand. */
async function startPhp({ directory }: ScratchNginx): Promise<ChildProcess> {
  for (const name of ['cached.test', 'php.test', 'file.test', 'hand.test']) {
    mkdirSync(`${directory}/www/${name}/public`, { recursive: true })
    writeFileSync(
      `${directory}/www/${name}/public/index.${name === 'file.test' ? 'html' : 'php'}`,
      name === 'file.test' ? page : script,
    )
  }
  mkdirSync(runDirectory(master), { recursive: true, mode: 0o711 })
  const pool = (id: number, domain: string) =>
    renderPool({
      ...{ id, ...master, domain, folder: `${directory}/www/${domain}`, values: [] },
      ...{ memoryMb: 128, maxChildren: 4, uploadMb: 32, seconds: 30 },
      iniDigest: createHash('sha256').digest('hex'),
    })
  const byHand = `[hand]
user = www-data
listen = ${directory}/hand.sock
listen.owner = www-data
pm = ondemand
pm.max_children = 4
`
  const config = `${directory}/fpm.conf`
  writeFileSync(
    config,
    `[global]\nerror_log = ${directory}/fpm.log\n${pool(1, 'cached.test')}${pool(2, 'php.test')}${byHand}`,
  )
  const fpm = spawn(php, ['--nodaemonize', '--fpm-config', config], { stdio: 'ignore' })
  await until(() => existsSync(socketOf({ id: 2, ...master })) && existsSync(`${directory}/hand.sock`))
  return fpm
}

interface Serving {
  readonly port: number
  /** The process of nginx that starts the workers. */
  readonly nginx: number
}

async function serve(scratch: ScratchNginx): Promise<Serving> {
  const { directory, port, nginx } = scratch
  await scratch.writeMain(`keepalive_requests 1000000;${byHandServers(directory, port)}`)
  await nginx.setUp()
  await nginx.steps.makeLogDirectories.act(
    { sites: ['cached.test', 'php.test'].map((domain) => ({ domain, gid: 0 })) },
    stepRun({ was: null }),
  )
  await nginx.steps.setCacheFolder.act({ siteId: 1, isPresent: true }, stepRun({ was: null }))
  writeFileSync(`${directory}/www/cached.test/generation`, '')
  const cache = {
    seconds: 600,
    sizeMb: 64,
    paths: ['/wp-admin/', '/wp-login.php'],
    cookies: ['wordpress_logged_in_', 'PHPSESSID'],
    keepsQueries: false,
    generationFile: `${directory}/www/cached.test/generation`,
  }
  await scratch.host.apply(
    nginx.tool,
    [site(directory, 1, 'cached.test', cache), site(directory, 2, 'php.test')].map((each) => ({
      path: nginx.sitePath(each.domain),
      content: nginx.renderSite(each),
    })),
  )
  const found = await scratch.program.master()
  if (found === undefined) throw new Error('nginx does not run')
  return { port, nginx: found }
}

const site = (
  directory: string,
  id: number,
  domain: string,
  cache?: NonNullable<NginxSite['php']>['cache'],
): NginxSite => ({
  ...{ id, domain, aliases: [], type: 'php', root: `${directory}/www/${domain}/public` },
  ...{ isSuspended: false, certificate: null, redirectsToHttps: false, hasHsts: false },
  php: {
    socket: socketOf({ id, ...master }),
    dataFolders: [],
    bodyMb: 32,
    seconds: 30,
    ...(cache && { cache }),
  },
})

const byHandServers = (directory: string, port: number): string => `
server {
  listen 127.0.0.1:${port};
  server_name file.test;
  access_log ${directory}/hand.log;
  root ${directory}/www/file.test/public;
}
server {
  listen 127.0.0.1:${port};
  server_name hand.test;
  access_log ${directory}/hand.log;
  root ${directory}/www/hand.test/public;
  location / {
    include /etc/nginx/fastcgi.conf;
    fastcgi_param SCRIPT_FILENAME $document_root/index.php;
    fastcgi_pass unix:${directory}/hand.sock;
  }
}
server {
  listen 127.0.0.1:${port};
  server_name pool.test;
  access_log ${directory}/hand.log;
  root ${directory}/www/php.test/public;
  location / {
    include /etc/nginx/fastcgi.conf;
    fastcgi_param SCRIPT_FILENAME $document_root/index.php;
    fastcgi_pass unix:${socketOf({ id: 2, ...master })};
  }
}
`

interface Comparison {
  readonly what: string
  readonly names: readonly [own: string, hand: string]
  readonly bound: number
  readonly rounds: number
  readonly requests: number
}

async function compare(
  { what, names: [own, hand], bound, rounds, requests }: Comparison,
  serving: Serving & { readonly fpm: ChildProcess },
): Promise<Figure> {
  for (const name of [own, hand]) await microsEach(serving, name, requests)
  const pairs: { readonly own: number; readonly hand: number }[] = []
  for (let round = 0; round < rounds; round++)
    pairs.push({
      own: await microsEach(serving, own, requests),
      hand: await microsEach(serving, hand, requests),
    })
  const micros = (key: 'own' | 'hand') => median(pairs.map((pair) => pair[key])).toFixed(0)
  return {
    what: `speed of ${what} (by CPU time)`,
    value: median(pairs.map((pair) => pair.hand / pair.own)),
    unit: 'x',
    bound,
    isMinimum: true,
    detail: `${micros('own')} µs against ${micros('hand')} µs a request`,
  }
}

/** Sends requests one after another on a few connections; returns the CPU time of nginx and PHP for each. */
async function microsEach(
  { port, nginx, fpm }: Serving & { readonly fpm: ChildProcess },
  name: string,
  requests: number,
): Promise<number> {
  const before = cpuMicros(nginx) + cpuMicros(fpm.pid ?? 0)
  const args = ['--json', '--connections', '4', '--amount', String(requests), '--headers', `host=${name}`]
  const child = spawn(process.execPath, [autocannon, ...args, `http://127.0.0.1:${port}/`], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 300_000,
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const { '2xx': right, throughput } = JSON.parse(output) as {
    readonly '2xx': number
    readonly throughput: { readonly total: number }
  }
  if (right !== requests || throughput.total < requests * page.length)
    throw new Error(`${name}: only ${right} of ${requests} requests were answered with the page`)
  return (cpuMicros(nginx) + cpuMicros(fpm.pid ?? 0) - before) / requests
}

const [microsPerTick, nanosPerMicro] = [10_000, 1000]

/** CPU time of a process, of its children, and of those of them that have ended, in microseconds. */
function cpuMicros(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const running = [pid, ...children].map((each) => ownMicros(each)).reduce((sum, micros) => sum + micros, 0)
  return running + endedMicros(pid)
}

/** The first field of `schedstat`, which is as exact as the scheduler itself. */
const ownMicros = (pid: number | string): number =>
  Number(ofProcess(pid, 'schedstat').split(' ')[0]) / nanosPerMicro

/** The time of children that have ended, in ticks alone (proc(5)). */
function endedMicros(pid: number): number {
  const stat = ofProcess(pid, 'stat')
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  return ((fields[13] ?? 0) + (fields[14] ?? 0)) * microsPerTick
}

/** Returns a file of a process; an empty one if it has just ended. */
function ofProcess(pid: number | string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
