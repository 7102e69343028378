import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { hierarchy } from './harness/cgroup.ts'
import { bootBare, bootHost, debPackage, poll, startPanel, sweepDeadRuns } from './harness/index.ts'
import type { Host } from './harness/index.ts'
import { must } from './harness/outer.ts'
import { openRun } from './harness/test-run.ts'

describe('two hosts on one network', () => {
  let web1: Host
  let web2: Host
  before(async () => {
    web1 = await bootHost('web1', { addresses: ['10.77.0.11/24'] })
    web2 = await bootHost('web2', { addresses: ['10.77.0.12/24', 'fd77::12/64'] })
    for (const host of [web1, web2]) {
      await writeFile(join(host.rootPath, 'var/www/html/index.html'), `this is ${host.name}\n`)
      await host.must(['systemctl', 'start', 'nginx'])
    }
  })
  after(async () => {
    await web1?.remove()
    await web2?.remove()
  })

  it('reach each other over HTTP', async () => {
    assert.equal((await web1.request({ address: '10.77.0.12', path: '/index.html' })).text, 'this is web2\n')
    assert.equal((await web2.request({ address: '10.77.0.11', path: '/index.html' })).text, 'this is web1\n')
    assert.equal(
      (await web1.must(['curl', '-sS', '--max-time', '5', 'http://10.77.0.12/index.html'])).stdout,
      'this is web2\n',
    )
  })

  it('answer by the Host header on their own loopback and over IPv6', async () => {
    const site = 'server { listen 80; listen [::]:80; server_name shop.test; return 200 "shop at $host"; }\n'
    await writeFile(join(web2.rootPath, 'etc/nginx/conf.d/shop.conf'), site)
    await web2.must(['systemctl', 'reload', 'nginx'])
    const ask = { headers: { Host: 'shop.test' } }
    // old workers take connections for a moment after the reload: each address is asked until the new ones answer
    const answerOf = (where: { readonly address?: string }) =>
      poll('the new site', 5_000, async () => {
        const { text } = await web2.request({ ...ask, ...where })
        return text.startsWith('shop') ? text : undefined
      })
    assert.equal(await answerOf({}), 'shop at shop.test')
    assert.equal(await answerOf({ address: 'fd77::12' }), 'shop at shop.test')
  })

  it('lose each other when the network is cut, and find each other again', async () => {
    const ask = () => web1.exec(['curl', '-sS', '--max-time', '3', 'http://10.77.0.12/'])
    await web2.cutNetwork()
    assert.notEqual((await ask()).code, 0)
    await assert.rejects(web1.connect(80, '10.77.0.12'))
    assert.equal((await web2.request({})).status, 200, 'loopback needs no cable')
    await web2.restoreNetwork()
    await poll('the other host', 10_000, async () => ((await ask()).code === 0 ? true : undefined))
  })

  it('refuse a connection with its reason', async () => {
    await assert.rejects(web1.request({ port: 9 }), /ECONNREFUSED/)
  })

  it('keep their disks over a power cut and over a reboot', async () => {
    await web1.must(['sh', '-c', 'echo kept > /root/note; date +%s%N > /run/volatile'])
    await web1.cutPower()
    await assert.rejects(web1.exec(['true']), /not running/)
    assert.equal(await readFile(join(web1.rootPath, 'root/note'), 'utf8'), 'kept\n')
    await web1.start()
    assert.equal((await web1.must(['cat', '/root/note'])).stdout, 'kept\n')
    assert.notEqual((await web1.exec(['cat', '/run/volatile'])).code, 0, 'memory does not survive')
    await web1.reboot()
    assert.equal((await web1.must(['cat', '/root/note'])).stdout, 'kept\n')
  })

  it('run commands in a control group of their own, with the input and the limits that were given', async () => {
    assert.match(
      (await web1.run(['cat', '/proc/self/cgroup'])).stdout,
      /^0::\/system\.slice\/run-.*\.service$/m,
    )
    assert.equal((await web1.exec(['cat'], { input: 'from outside' })).stdout, 'from outside')
    assert.equal((await web1.exec(['sleep', '60'], { timeoutMs: 200 })).code, 124)
    assert.equal((await web1.exec(['pgrep', '-x', 'sleep'])).code, 1, 'nothing of it goes on')
    assert.equal((await web1.run(['sh', '-c', 'exit 7'])).code, 7)
    assert.equal((await web1.exec(['no-such-program'])).code, 127)
  })

  it('have none of their services running until a test starts one', async () => {
    const units = ['nginx', 'php8.2-fpm', 'cron', 'rsyslog']
    await web1.reboot()
    assert.equal(
      (await web1.exec(['systemctl', 'is-active', ...units])).stdout.trim(),
      units.map(() => 'inactive').join('\n'),
    )
    assert.equal((await web1.exec(['systemctl', 'is-system-running'])).stdout, 'running\n')
  })

  it('lack the capability to set the clock, whichever way a process came in', async () => {
    assert.equal(await clockBits(web1.must(readCapabilities)), 0n)
    assert.equal(await clockBits(web1.run(readCapabilities)), 0n)
  })
})

describe('a host without systemd', () => {
  it('serves with nginx through its init script, and again after a reboot', async () => {
    const bare = await bootBare('bare1')
    try {
      assert.notEqual((await bare.exec(['test', '-d', '/run/systemd/system'])).code, 0)
      for (const _ of ['first start', 'after the reboot']) {
        await bare.must(['service', 'nginx', 'start'])
        assert.equal((await bare.request({})).status, 200)
        await bare.reboot()
        await assert.rejects(bare.request({}), /ECONNREFUSED/)
      }
      assert.equal(await clockBits(bare.must(readCapabilities)), 0n)
    } finally {
      await bare.remove()
    }
  })
})

describe('packages', () => {
  it('install from the repository inside the host, and start as on any Debian', async () => {
    const host = await bootHost('fresh', { without: ['nginx'] })
    try {
      assert.equal((await host.exec(['nginx', '-v'])).code, 127)
      assert.notEqual((await host.exec(['test', '-e', '/etc/nginx'])).code, 0)
      await host.must(['apt-get', 'update'])
      await host.must(['apt-get', 'install', '-y', '--no-install-recommends', 'nginx'], { timeoutMs: 60_000 })
      assert.equal((await host.request({})).status, 200)
    } finally {
      await host.remove()
    }
  })

  it('are downloaded once as files to test with', async () => {
    const path = await debPackage('python3-doc')
    assert.equal((await must(['dpkg-deb', '--field', path, 'Package'])).stdout, 'python3-doc\n')
    assert.equal(await debPackage('python3-doc'), path)
  })
})

describe('a host whose disk is memory', () => {
  it('has a full disk when its limit is reached', async () => {
    const host = await bootHost('small', { memoryDisk: '32m' })
    try {
      const filled = await host.exec(['dd', 'if=/dev/zero', 'of=/var/fill', 'bs=1M', 'count=64'])
      assert.match(filled.stderr, /No space left on device/)
      await host.must(['rm', '/var/fill'])
      await host.must(['dd', 'if=/dev/zero', 'of=/var/fill', 'bs=1M', 'count=8'])
    } finally {
      await host.remove()
    }
  })
})

for (const [kind, boot] of [
  ['with', bootHost],
  ['without', bootBare],
] as const)
  describe(`a panel on a host ${kind} systemd`, () => {
    it('starts, answers, is killed, starts again, keeps its log and is stopped', async () => {
      const host = await boot('panel1')
      try {
        await writeFile(join(host.rootPath, 'root/panel.mjs'), standInPanel)
        const panel = await startPanel(host, {
          argv: ['/opt/hostreeve/node_modules/.bin/node', '/root/panel.mjs'],
          env: { GREETING: 'a "quoted" \\ word' },
        })
        const first = await panel.request('POST', '/echo', { token: await panel.signIn(), body: { n: 1 } })
        assert.deepEqual(first.json(), {
          token: 'Bearer of admin@hosts.test',
          body: '{"n":1}',
          greeting: 'a "quoted" \\ word',
          starts: 1,
        })
        await panel.kill9()
        await assert.rejects(panel.request('GET', '/readyz'), /ECONNREFUSED/)
        await panel.start()
        await panel.restart()
        const last = await panel.request('GET', '/echo')
        assert.equal((last.json() as { starts: number }).starts, 3)
        assert.equal((await panel.log()).match(/^listening$/gm)?.length, 3)
        await panel.stop()
        await assert.rejects(panel.request('GET', '/readyz'), /ECONNREFUSED/)
      } finally {
        await host.remove()
      }
    })
  })

describe('removal', () => {
  for (const memoryDisk of [undefined, '64m'])
    it(`leaves no mount, namespace, control group, process or file of a host with ${memoryDisk ?? 'no'} memory disk`, async () => {
      const host = await bootHost('gone', { addresses: ['10.77.0.13/24'], memoryDisk })
      const { prefix, folder } = await openRun()
      await host.must([
        'sh',
        '-c',
        'echo x > /root/fixed && chattr +i /root/fixed && (setsid sleep 1000 >/dev/null 2>&1 &)',
      ])
      await host.must(['systemctl', 'start', 'nginx'])
      await host.request({})
      assert.notDeepEqual(await leftovers(prefix, folder), [])
      await host.remove()
      await host.remove()
      assert.deepEqual(await leftovers(prefix, folder), [])
    })

  it('of a run whose process was killed is made up for by the next run', async () => {
    const { prefix, folder, child } = await otherProcess()
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.notDeepEqual(await leftovers(prefix, folder), [])
    assert.ok((await sweepDeadRuns()) >= 1)
    assert.deepEqual(await leftovers(prefix, folder), [])
  })

  it('is done by a process that is interrupted', async () => {
    const { prefix, folder, child } = await otherProcess()
    child.kill('SIGINT')
    await once(child, 'exit')
    assert.deepEqual(await leftovers(prefix, folder), [])
  })
})

const standInPanel = `
import { createServer } from 'node:http'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
mkdirSync(process.env.HOSTREEVE_DATA_DIR, { recursive: true })
const starts = process.env.HOSTREEVE_DATA_DIR + '/starts'
appendFileSync(starts, 'x')
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const send = value => response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
  if (request.url === '/readyz') return send({})
  if (request.url === '/api/auth/login') return send({ data: { access_token: 'of ' + JSON.parse(body).email } })
  send({ token: request.headers.authorization, body, greeting: process.env.GREETING, starts: readFileSync(starts, 'utf8').length })
})
server.listen(Number(process.env.HOSTREEVE_PORT), process.env.HOSTREEVE_HOST, () => console.log('listening'))
process.on('SIGTERM', () => process.exit(0))
`

async function otherProcess() {
  const harness = new URL('harness/', import.meta.url).href
  const program = `
    const { bootHost } = await import('${harness}host.ts'); const { openRun } = await import('${harness}test-run.ts')
    const host = await bootHost('lost', { addresses: ['10.77.0.14/24'] })
    await host.must(['systemctl', 'start', 'nginx']); await host.request({})
    console.log(JSON.stringify(await openRun())); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { ...(JSON.parse(line.toString('utf8')) as { prefix: string; folder: string }), child }
}

/** Everything on this machine that belongs to a run: its mounts, namespaces, control groups, processes and files. */
async function leftovers(prefix: string, folder: string): Promise<string[]> {
  const mounts = (await readFile('/proc/self/mounts', 'utf8'))
    .split('\n')
    .filter((line) => line.includes(folder) || line.includes(prefix))
  const namespaces = (await readdir('/run/netns')).filter((name) => name.startsWith(prefix))
  const groups = (await readdir(await hierarchy())).filter((name) => name === prefix)
  const files = (await readdir(join(folder, '..'))).filter((name) => folder.endsWith(`/${name}`))
  return [...mounts, ...namespaces, ...groups, ...files, ...(await processesOf(prefix, folder))]
}

async function processesOf(prefix: string, folder: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const texts = await Promise.all(
      ['cgroup', 'cmdline', 'mounts', 'stat'].map((file) =>
        readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => ''),
      ),
    )
    if (/\) Z /.test(texts[3] ?? '')) continue // ended; only its parent's wait is outstanding
    if (texts.some((text) => text.includes(prefix) || text.includes(folder)))
      found.push(`process ${pid}: ${texts[1]}`)
  }
  return found
}

const readCapabilities = ['cat', '/proc/self/status', '/proc/1/status'] as const

/** The capability CAP_SYS_TIME (25) in any capability set of the process that ran inside and of the host's PID 1. */
async function clockBits(read: Promise<{ readonly stdout: string }>): Promise<bigint> {
  const sets = [...(await read).stdout.matchAll(/^Cap(?:Prm|Eff|Bnd|Inh|Amb):\t([0-9a-f]+)$/gm)]
  assert.equal(sets.length, 10)
  return sets.map((match) => BigInt(`0x${match[1]}`) & (1n << 25n)).reduce((one, other) => one | other)
}
