import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { DebArchive } from './story/deb-archive.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { killWhile } from './story/kill.ts'
import { SignedIn } from './story/signed-in.ts'

const names = ['hr-held', 'hr-plain', 'hr-safe'] as const

/** A set-up that fails, or waits, as long as a file is there. */
const checking = 'if [ -e /srv/broken ]; then echo the shop has no floor >&2; exit 3; fi'
const waiting = 'while [ -e /srv/wait ]; do touch /srv/waiting; sleep 0.1; done'

describe('updates of packages', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ordinary: DebArchive
  let security: DebArchive
  before(async () => {
    host = await bootHost('updates')
    ordinary = await DebArchive.make(host, 'stable', 'Tests')
    security = await DebArchive.make(host, 'stable-security', 'Tests-Security')
    for (const name of names) await ordinary.publish({ name, version: '1.0', configuration: 'from 1.0\n' })
    await host.must(['apt-get', '-q', 'update'])
    await host.must(['apt-get', '-q', '-y', 'install', ...names], { timeoutMs: 60_000 })
    await host.must(['apt-mark', 'auto', 'hr-safe', 'hr-plain'])
    await host.must(['apt-mark', 'hold', 'hr-held'])
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(() => host?.remove())

  const inHost = (path: string) => join(host.rootPath, path)
  const versionOf = async (name: string) =>
    (await host.must(['dpkg-query', '--show', '--showformat=${Version}', name])).stdout
  const automatic = async () => (await host.must(['apt-mark', 'showauto'])).stdout
  const listed = () => admin.must('GET', '/api/system/updates')
  const order = async (action: string): Promise<number> =>
    (await admin.must('POST', '/api/system/updates', { action })).job_id
  const run = async (action: string) => {
    const events = await admin.followJob(await order(action))
    return { events, last: events.at(-1), output: JSON.stringify(events) }
  }
  const must = async (action: string) => {
    const { last, output } = await run(action)
    assert.equal(last?.['state'], 'succeeded', output)
    return output
  }

  it('are listed once the package lists were fetched, with their source and those on hold', async () => {
    for (const name of ['hr-held', 'hr-plain'])
      await ordinary.publish({ name, version: '2.0', configuration: 'from 2.0\n' })
    await security.publish({ name: 'hr-safe', version: '1.1' })
    assert.deepEqual((await listed()).updates, [])
    const former = (await listed()).lists_fetched_at
    await must('refresh')
    const { updates, unfinished, reboot_required: isRebootRequired, lists_fetched_at: time } = await listed()
    const rest = { current: '1.0', kept_back: false }
    assert.deepEqual(updates, [
      {
        ...rest,
        package: 'hr-safe',
        candidate: '1.1',
        source: 'Tests-Security:12/stable-security',
        security: true,
        held: false,
      },
      {
        ...rest,
        package: 'hr-held',
        candidate: '2.0',
        source: 'Tests:12/stable',
        security: false,
        held: true,
      },
      {
        ...rest,
        package: 'hr-plain',
        candidate: '2.0',
        source: 'Tests:12/stable',
        security: false,
        held: false,
      },
    ])
    assert.deepEqual([unfinished, isRebootRequired], [[], false])
    assert.ok(time > former, `${time} after ${former}`)
  })

  it('of the security archive are installed alone, and automatic packages stay automatic', async () => {
    const output = await must('install_security')
    assert.match(output, /Setting up hr-safe \(1\.1\)/)
    assert.deepEqual(await Promise.all(names.map(versionOf)), ['1.0', '1.0', '1.1'])
    assert.match(await automatic(), /^hr-safe$/m)
  })

  it('keep edited configuration files, and packages on hold', async () => {
    await writeFile(inHost('etc/hr-plain.conf'), 'edited\n')
    await must('install')
    assert.deepEqual(await Promise.all(names.map(versionOf)), ['1.0', '2.0', '1.1'])
    assert.equal(await readFile(inHost('etc/hr-plain.conf'), 'utf8'), 'edited\n')
    assert.deepEqual(
      (await listed()).updates.map((each: any) => each.package),
      ['hr-held'],
    )
  })

  it('whose set-up fails make the job fail with its message, and are completed by the next one', async () => {
    await ordinary.publish({ name: 'hr-plain', version: '3.0', postinst: checking })
    await writeFile(inHost('srv/broken'), '')
    await must('refresh')
    const { last, output } = await run('install')
    assert.equal(last?.['state'], 'failed', output)
    assert.match(output, /the shop has no floor/)
    assert.match(output, /error processing package hr-plain/)
    assert.deepEqual((await listed()).unfinished, ['hr-plain'])
    await host.must(['rm', '/srv/broken'])
    await must('install')
    assert.equal((await host.must(['dpkg', '--audit'])).stdout, '')
    assert.deepEqual([await versionOf('hr-plain'), (await listed()).unfinished], ['3.0', []])
  })

  it('go on while the panel is killed, which awaits them when it has started', async () => {
    await ordinary.publish({ name: 'hr-plain', version: '4.0', postinst: waiting })
    await writeFile(inHost('srv/wait'), '')
    await must('refresh')
    let id = 0
    const begin = async () => {
      id = await order('install')
      await poll(
        'dpkg to set the package up',
        60_000,
        async () => existsSync(inHost('srv/waiting')) || undefined,
      )
    }
    await killWhile(panel, begin, () => false)
    assert.equal((await admin.must('GET', `/api/jobs/${id}`)).state, 'running')
    const refused = await admin.ask('POST', '/api/system/updates', { action: 'refresh' })
    assert.deepEqual([refused.status, refused.code], [409, 'already_running'])
    await host.must(['rm', '/srv/wait'])
    const events = await admin.followJob(id)
    assert.equal(events.at(-1)?.['state'], 'succeeded', JSON.stringify(events))
    assert.equal(await versionOf('hr-plain'), '4.0')
    assert.match(await automatic(), /^hr-plain$/m)
    assert.equal((await host.must(['dpkg', '--audit'])).stdout, '')
  })

  it('say that the host must be restarted', async () => {
    await host.must([
      'sh',
      '-c',
      'touch /run/reboot-required; echo linux-image-amd64 > /run/reboot-required.pkgs',
    ])
    const { reboot_required: isRequired, reboot_packages: packages } = await listed()
    assert.deepEqual([isRequired, packages], [true, ['linux-image-amd64']])
    await host.must(['rm', '/run/reboot-required', '/run/reboot-required.pkgs'])
  })

  it('do as the guide says', async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/updates.md'), 'utf8'))
    assert.ok(blocks.length > 0)
    await runAll(host, panel, blocks)
  })
})
