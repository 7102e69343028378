import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { buildPanel } from './harness/panel.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { Prober } from './story/prober.ts'
import { ReleaseServer } from './story/release-server.ts'
import { SignedIn } from './story/signed-in.ts'

const target = '/srv/panel'
const page = '<h1>always there</h1>\n'
const isLong = process.env['HOSTREEVE_LONG'] === '1'
const hangs = { name: 'serve', instead: 'setInterval(() => {}, 1000)' }
const exitsAtOnce = { name: 'serve', instead: 'process.exit(1)' }
const refusesTheStore = {
  name: 'try-migrations',
  instead: `console.error('hostreeve: The migration 209901010000-odd failed: no such column'); process.exit(1)`,
}

describe('an update of the panel', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let releases: ReleaseServer
  let prober: Prober
  before(async () => {
    await buildPanel()
    host = await bootHost('selfupdate')
    releases = await ReleaseServer.open(host)
    await releases.install(target, '0.1.0')
    symlinkSync('versions/0.1.0', join(host.rootPath, target, 'current'))
    await serveSite()
    panel = await startPanel(host, {
      argv: [`${target}/current/bin/node`, `${target}/current/dist/hostreeve.mjs`, 'serve'],
      env: { HOSTREEVE_UPDATE_URL: releases.url, HOSTREEVE_UPDATE_PUBLIC_KEY: releases.publicKey },
    })
    admin = await SignedIn.as(panel)
    prober = new Prober(host, 'steady.example.com', page)
  })
  after(async () => {
    const { visits, failures } = await prober.stop()
    await host?.remove()
    assert.ok(visits > 100)
    assert.deepEqual(failures, [], 'requests of the website that failed')
  })

  const serveSite = async () => {
    mkdirSync(join(host.rootPath, 'srv/site'), { recursive: true })
    writeFileSync(join(host.rootPath, 'srv/site/index.html'), page)
    const site = 'server { listen 80 default_server; root /srv/site; }\n'
    writeFileSync(join(host.rootPath, 'etc/nginx/conf.d/steady.conf'), site)
    await host.must(['rm', '-f', '/etc/nginx/sites-enabled/default'])
    await host.must(['systemctl', 'restart', 'nginx'])
  }
  const inTarget = (path: string) => join(host.rootPath, target, path)
  const current = () => readlinkSync(inTarget('current'))
  const versions = () => readdirSync(inTarget('versions')).toSorted()
  const pid = async () => (await host.must(['systemctl', 'show', '--property=MainPID', 'hostreeve'])).stdout
  const start = () => panel.request('POST', '/api/system/selfupdate', { token: admin.token })
  const read = () => admin.must('GET', '/api/system/selfupdate')
  const untilResult = async (to: string, state: string) =>
    poll(`${to} to be ${state}`, 60_000, async () => {
      const answer = await panel.request('GET', '/readyz').catch(() => undefined)
      if (answer?.status !== 200) return undefined
      // the former panel may answer the first request and replace itself before the second
      const last = await read().then(
        (state) => state.last,
        () => undefined,
      )
      return last?.to === to && last.state === state ? last : undefined
    })
  const jobs = async () => (await admin.must('GET', '/api/jobs?search=selfupdate.run')).items
  const untilJob = async (state: string) =>
    poll(`the job to be ${state}`, 60_000, async () => {
      const [latest] = await jobs()
      return latest !== undefined && latest.state === state ? latest : undefined
    })

  it('is refused at once for a wrong signature, an older version or another architecture', async () => {
    await releases.publish('0.2.0', { hasWrongSignature: true })
    const wrong = await start()
    assert.deepEqual([wrong.status, /signature of version 0\.2\.0/.test(wrong.text)], [500, true], wrong.text)
    await releases.publish('0.0.9')
    assert.match((await start()).text, /no version newer than 0\.1\.0/)
    await releases.publish('0.2.0', { architecture: 'arm64' })
    assert.match((await start()).text, /no newer version for the architecture/)
    assert.deepEqual([current(), versions()], ['versions/0.1.0', ['0.1.0']])
  })

  it('changes nothing where its migrations fail, or a link or another version is in the archive', async () => {
    const fail = async (fault: Parameters<ReleaseServer['publish']>[1], message: RegExp) => {
      const former = (await jobs())[0]?.id
      await releases.publish('0.2.0', fault)
      const { status, text } = await start()
      assert.deepEqual([status, text.includes('"success":true')], [200, true], text)
      const failed = await poll('the job to fail', 60_000, async () => {
        const [latest] = await jobs()
        return latest?.id !== former && latest?.state === 'failed' ? latest : undefined
      })
      assert.match(JSON.stringify(failed), message)
      assert.deepEqual([current(), versions()], ['versions/0.1.0', ['0.1.0']])
    }
    await fail({ command: refusesTheStore }, /209901010000-odd failed/)
    await fail(
      { alter: (staged) => symlinkSync('/etc', `${staged}/dist/out`) },
      /neither a file nor a directory/,
    )
    const renamed = (staged: string) =>
      writeFileSync(
        `${staged}/package.json`,
        JSON.stringify({ version: '0.0.9', architecture: process.arch }),
      )
    await fail({ alter: renamed }, /contains version 0\.0\.9/)
  })

  it('replaces the panel by the new version in the same process, as the guide says, and completes its job', async () => {
    await releases.publish('0.2.0')
    assert.equal((await read()).available.notes, 'Notes of 0.2.0')
    const before = await pid()
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/panel-updates.md'), 'utf8'))
    assert.match(await runAll(host, panel, blocks), /"success":true/)
    await untilResult('0.2.0', 'updated')
    await untilJob('succeeded')
    assert.deepEqual([(await read()).version, await pid()], ['0.2.0', before])
    assert.deepEqual([current(), versions()], ['versions/0.2.0', ['0.1.0', '0.2.0']])
  })

  it('returns to the former version where the new one ends at its start', async () => {
    await releases.publish('0.3.0', { command: exitsAtOnce })
    assert.equal((await start()).status, 200)
    await untilResult('0.3.0', 'rolled_back')
    const { message } = await untilJob('failed')
    assert.match(message, /Version 0\.3\.0 was replaced by 0\.2\.0 again: it ended/)
    assert.equal((await read()).version, '0.2.0')
    assert.deepEqual([current(), versions()], ['versions/0.2.0', ['0.1.0', '0.2.0']])
  })

  it('returns to the former version where the new one hangs', { skip: !isLong && 'takes 35 s' }, async () => {
    await releases.publish('0.4.0', { command: hangs })
    assert.equal((await start()).status, 200)
    await untilResult('0.4.0', 'rolled_back')
    assert.match((await untilJob('failed')).message, /not ready within 30 seconds/)
    assert.deepEqual([current(), versions()], ['versions/0.2.0', ['0.1.0', '0.2.0']])
  })

  it('is reverted by hand with hostreeve rollback', async () => {
    const argv = [`${target}/current/bin/hostreeve`, 'rollback'] as const
    const { stdout } = await host.must(argv, {
      env: { HOSTREEVE_DATA_DIR: '/var/lib/hostreeve' },
      timeoutMs: 60_000,
    })
    assert.match(stdout, /version 0\.1\.0 again/)
    await panel.untilReady()
    assert.equal((await read()).version, '0.1.0')
  })
})
