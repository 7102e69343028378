import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'

const unitOf = (text: string) => `[Unit]\n${text}\n[Service]\nExecStart=/bin/sleep infinity\n`

describe('services', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('services')
    const folder = join(host.rootPath, 'etc/systemd/system')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'store@.service'), unitOf('Description=Store %i'))
    await writeFile(join(folder, 'shop.service'), unitOf('Requires=store@a.service\nAfter=store@a.service'))
    const talk = "ExecStart=/bin/sh -c 'while :; do echo hay; echo Needle of %i; sleep 0.1; done'"
    await writeFile(join(folder, 'talker@.service'), `[Service]\n${talk}\n`)
    await host.must(['systemctl', 'daemon-reload'])
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(() => host?.remove())

  const isActive = async (name: string) =>
    (await host.exec(['systemctl', 'is-active', name])).stdout.trim() === 'active'

  it('are stopped with what depends on them, as the plan says, and started again by the undo', async () => {
    await admin.must('POST', '/api/services/shop/start')
    assert.ok((await isActive('shop')) && (await isActive('store@a')))
    const plan = await admin.must('POST', '/api/services/store@a/stop?plan=1')
    assert.deepEqual(plan.steps[0].details, ['Also stops what depends on store@a: shop.service'])
    assert.ok(await isActive('store@a'))
    const stopped = await panel.request('POST', '/api/services/store@a/stop', { token: admin.token })
    assert.equal(stopped.status, 200, stopped.text)
    assert.ok(!(await isActive('shop')) && !(await isActive('store@a')))
    const [entry] = (await admin.must('GET', '/api/activity')).items
    await admin.must('POST', `/api/activity/${entry.id}/undo`)
    assert.ok((await isActive('shop')) && (await isActive('store@a')))
  })

  it('are restarted, and enabled to start with the host', async () => {
    const pid = async () => (await host.must(['systemctl', 'show', '-P', 'MainPID', 'store@a'])).stdout.trim()
    const before = await pid()
    await admin.must('POST', '/api/services/store@a/restart')
    assert.notEqual(await pid(), before)
    await admin.must('POST', '/api/services/cron/disable')
    assert.equal((await host.exec(['systemctl', 'is-enabled', 'cron'])).stdout.trim(), 'disabled')
    await admin.must('POST', '/api/services/cron/enable')
    assert.equal((await host.exec(['systemctl', 'is-enabled', 'cron'])).stdout.trim(), 'enabled')
  })

  it('show the lines that a service logs while its log is followed, and none of another', async () => {
    await admin.must('POST', '/api/services/talker@one/start')
    await admin.must('POST', '/api/services/talker@two/start')
    const stream = await admin.openStream('/api/services/talker@two/logs?lines=0&search=needle')
    let text = ''
    stream.on('error', () => {}) // leaving the loop breaks the connection off
    for await (const chunk of stream.setEncoding('utf8')) if ((text += chunk).split('\n\n').length > 3) break
    const events = text.split('\n\n').slice(0, 3)
    const messages = events.map((each) => JSON.parse(each.slice(each.indexOf('data: ') + 6)).message)
    assert.deepEqual(messages, ['Needle of two', 'Needle of two', 'Needle of two'])
  })

  it('do not include the templates, and refuse one that has no instance', async () => {
    const all: { readonly name: string }[] = await admin.must('GET', '/api/services')
    assert.ok(all.some(({ name }) => name === 'store@a') && !all.some(({ name }) => name === 'store@'))
    assert.equal((await admin.ask('POST', '/api/services/store@/start')).code, 'not_found')
  })

  it('that the panel runs in is not stopped', async () => {
    const own = (await admin.must('GET', '/api/services')).find((each: any) => each.is_panel)
    assert.ok(own, 'the panel runs in a service')
    const refused = await admin.ask('POST', `/api/services/${own.name}/stop`)
    assert.deepEqual([refused.status, refused.code], [400, 'forbidden'])
    assert.ok(await isActive(own.name))
  })

  it('whose start ends the host are started by nobody, those that open a console by superusers', async () => {
    const operator = await admin.withPermissions('operator', ['administrative_operations'])
    const plan = (as: SignedIn, name: string, verb = 'start') =>
      as.ask('POST', `/api/services/${name}/${verb}?plan=1`)
    for (const name of ['systemd-poweroff', 'systemd-reboot', 'systemd-suspend'])
      assert.equal((await plan(admin, name)).code, 'forbidden', name)
    for (const name of ['debug-shell', 'rescue', 'emergency', 'getty@tty9', 'modprobe@loop', 'user@1000']) {
      assert.equal((await plan(operator, name)).status, 403, name)
      assert.equal((await plan(operator, name, 'restart')).status, 403, name)
    }
    assert.equal((await operator.ask('POST', '/api/services/debug-shell/enable')).status, 403)
    assert.equal((await host.exec(['systemctl', 'is-enabled', 'debug-shell'])).stdout.trim(), 'disabled')
    assert.equal((await plan(admin, 'debug-shell')).status, 200)
    assert.equal((await plan(operator, 'cron', 'restart')).status, 200)
  })

  it('show the log of the panel to superusers only', async () => {
    const operator = await SignedIn.as(panel, 'operator@hosts.test', 'the password of operator')
    assert.equal((await operator.ask('GET', '/api/services/hostreeve/logs?follow=0')).status, 403)
    assert.equal((await admin.ask('GET', '/api/services/hostreeve/logs?follow=0')).status, 200)
  })

  it('are listed where the host has 300 of them', async () => {
    const folder = join(host.rootPath, 'etc/systemd/system')
    for (let count = 0; count < 300; count++)
      await writeFile(join(folder, `many-${count}.service`), unitOf(`Description=Unit ${count}`))
    await host.must(['systemctl', 'daemon-reload'])
    assert.ok((await admin.must('GET', '/api/services')).length > 300)
  })

  it('do as the guide says', async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/services.md'), 'utf8'))
    assert.ok(blocks.length > 0)
    await runAll(host, panel, blocks)
  })
})
