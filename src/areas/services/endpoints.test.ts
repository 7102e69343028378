import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import type { Script } from '../../host/testing/scripted-run.ts'

const units = new Map<string, { isActive: boolean; isEnabled: boolean }>()
let dependents: Readonly<Record<string, string>> = {}
/** What `systemctl show` prints of units whose start has effects on the host. */
const effects: Readonly<Record<string, string>> = {
  'systemd-poweroff.service':
    'SuccessAction=poweroff-force\nRequires=shutdown.target final.target system.slice',
  'systemd-suspend.service': 'SuccessAction=none',
  'rival.service': 'Conflicts=shutdown.target hostreeve.service',
  'debug-shell.service': 'StandardInput=tty',
  'getty@tty1.service': 'StandardInput=tty-force',
  'modprobe@dm_mod.service': 'StandardInput=null',
  'user@1000.service': 'StandardInput=null',
  'watched.service': 'FailureAction=reboot',
}
let refusal: string | undefined

/** Units with dependents: `systemctl show` of the properties that spread a stop. */
const spreading: Script = (argv) => {
  if (argv[0] === 'systemctl' && argv[1] === 'show' && argv[2]?.includes('RequiredBy'))
    return {
      stdout: argv
        .slice(argv.indexOf('--') + 1)
        .map((name) => `Id=${name}\nActiveState=active\nRequiredBy=${dependents[name] ?? ''}\n`)
        .join('\n'),
    }
  const asked = argv.at(-1) ?? ''
  if (argv[0] === 'systemctl' && argv[2]?.includes('SuccessAction'))
    return { stdout: `Id=${asked}\n${effects[asked] ?? 'Conflicts=shutdown.target\nStandardInput=null'}\n` }
  return refusal !== undefined && argv[0] === 'systemctl' && argv[2] === 'start'
    ? { code: 1, stderr: refusal }
    : undefined
}
const entries = ['started', 'Disk FULL', 'ended'].map((MESSAGE, index) =>
  JSON.stringify({ __REALTIME_TIMESTAMP: String(1_790_000_000_000_000 + index), PRIORITY: '6', MESSAGE }),
)
const journal: Script = ([program], { onOutput }) => {
  if (program !== 'journalctl') return undefined
  void onOutput?.(Buffer.from(`${entries.join('\n')}\n`))
  return {}
}

describe('services', () => {
  let panel: TestPanel
  let operator: Person
  before(async () => {
    panel = await openTestPanel({ scripts: [spreading, journal, scriptSystemd(units)] })
    await panel.start()
    mkdirSync(`${panel.root}/proc/self`, { recursive: true })
    writeFileSync(`${panel.root}/proc/self/cgroup`, '0::/system.slice/hostreeve.service\n')
    operator = await panel.person({ permissions: ['administrative_operations'] })
  })
  after(() => panel.close())
  beforeEach(() => {
    units.clear()
    units.set('nginx', { isActive: true, isEnabled: true })
    units.set('hostreeve', { isActive: true, isEnabled: true })
    units.set('cron', { isActive: false, isEnabled: false })
    dependents = {}
    refusal = undefined
  })
  const ask = (method: string, path: string, as = operator) =>
    panel.request(method, `/api/services${path}`, { as })

  test('are listed by name with their area, and the one that the panel runs in is marked', async () => {
    const { status, data } = await ask('GET', '')
    assert.equal(status, 200)
    assert.deepEqual(
      data.map((each: any) => [each.name, each.active, each.enabled, each.is_panel, each.driven_by]),
      [
        ['cron', false, false, false, null],
        ['hostreeve', true, true, true, null],
        ['nginx', true, true, false, { title: 'Websites', path: '/websites' }],
      ],
    )
    assert.deepEqual((await ask('GET', '/nginx')).data, data[2])
  })

  test('are started, stopped, enabled and disabled, and that is undone by its entry', async () => {
    await ask('POST', '/cron/start')
    await ask('POST', '/cron/enable')
    assert.deepEqual(units.get('cron'), { isActive: true, isEnabled: true })
    const { headers } = await ask('POST', '/cron/disable')
    assert.deepEqual(units.get('cron'), { isActive: true, isEnabled: false })
    const undo = `/api/activity/${headers['x-undo-id']}/undo`
    assert.equal((await panel.request('POST', undo, { as: operator })).status, 200)
    assert.deepEqual(units.get('cron'), { isActive: true, isEnabled: true })
    assert.deepEqual((await ask('POST', '/nginx/stop')).data, { success: true })
    assert.equal(units.get('nginx')?.isActive, false)
  })

  test('show in the plan what depends on them', async () => {
    dependents = { 'nginx.service': 'shop.service' }
    const { data } = await ask('POST', '/nginx/stop?plan=1')
    assert.deepEqual(data.steps[0].details, ['Also stops what depends on nginx: shop.service'])
    assert.equal(units.get('nginx')?.isActive, true)
  })

  test('are not stopped where the panel would end with them: forbidden', async () => {
    for (const verb of ['stop', 'restart', 'disable']) {
      const { status, error } = await ask('POST', `/hostreeve/${verb}`)
      assert.deepEqual([status, error.code], [400, 'forbidden'], verb)
    }
    assert.equal((await ask('POST', '/hostreeve.service/stop')).error.code, 'forbidden')
    dependents = { 'nginx.service': 'hostreeve.service' }
    assert.match((await ask('POST', '/nginx/restart')).error.message, /panel depends on nginx/)
    assert.deepEqual(units.get('hostreeve'), { isActive: true, isEnabled: true })
  })

  test('are not started by anybody where the panel or the host would end: forbidden', async () => {
    for (const name of ['systemd-poweroff', 'systemd-suspend', 'rival']) {
      units.set(name, { isActive: false, isEnabled: false })
      for (const verb of ['start', 'restart', 'enable'])
        for (const as of [operator, panel.admin]) {
          const { status, error } = await ask('POST', `/${name}/${verb}`, as)
          assert.deepEqual([status, error.code], [400, 'forbidden'], `${verb} ${name}`)
        }
      assert.deepEqual(units.get(name), { isActive: false, isEnabled: false })
    }
  })

  test('that open a console, load modules or restart the host are started by superusers only', async () => {
    for (const name of ['debug-shell', 'getty@tty1', 'modprobe@dm_mod', 'user@1000', 'watched']) {
      units.set(name, { isActive: false, isEnabled: false })
      for (const verb of ['start', 'restart', 'enable'])
        assert.equal((await ask('POST', `/${name}/${verb}`)).status, 403, `${verb} ${name}`)
      assert.deepEqual(units.get(name), { isActive: false, isEnabled: false })
      assert.equal((await ask('POST', `/${name}/stop`)).status, 200)
      assert.equal((await ask('POST', `/${name}/start`, panel.admin)).status, 200)
    }
  })

  test('show the log of the panel itself to superusers only', async () => {
    const path = '/hostreeve/logs?follow=0'
    assert.equal((await ask('GET', path)).error.code, 'forbidden')
    assert.equal((await ask('GET', '/hostreeve.service/logs?follow=0')).status, 403)
    assert.match((await ask('GET', path, panel.admin)).text, /Disk FULL/)
  })

  test('that do not start answer the message of the service manager: service_failed', async () => {
    refusal = 'Unit cron.service is masked.'
    const { status, error } = await ask('POST', '/cron/start')
    assert.deepEqual([status, error.code], [500, 'service_failed'])
    assert.match(error.message, /is masked/)
  })

  test('are named by what can be a unit: an unknown one is 404, no name is 400', async () => {
    assert.equal((await ask('GET', '/none@1')).error.code, 'not_found')
    for (const name of ['-x', '--now', 'a%20b', 'a%2Fb', '..%2F..', 'a;b', '*', 'é', 'x'.repeat(256)])
      for (const [method, rest] of [
        ['GET', ''],
        ['POST', '/stop'],
        ['GET', '/logs'],
      ] as const)
        assert.equal((await ask(method, `/${name}${rest}`)).error.code, 'bad_request', name)
    assert.ok(!panel.scripted.commands.some((argv) => argv.includes('-x.service')))
  })

  test('stream the lines of their log that have the text, with their times', async () => {
    const { status, text } = await ask('GET', '/cron/logs?search=disk&follow=0')
    assert.equal(status, 200)
    const events = text.split('\n\n').filter(Boolean)
    assert.equal(events.length, 1)
    assert.match(events[0] ?? '', /^id: 1790000000000001\ndata: /)
    assert.deepEqual(JSON.parse((events[0] ?? '').split('data: ')[1] ?? ''), {
      type: 'line',
      time: '2026-09-21T14:13:20.000Z',
      priority: 'info',
      pid: null,
      message: 'Disk FULL',
    })
  })

  test('refuse a severity, a number of lines and a time that are none', async () => {
    for (const query of [
      'priority=loud',
      'lines=5001',
      'lines=-1',
      'since=yesterday',
      'source=%2Fetc%2Fshadow',
    ])
      assert.equal((await ask('GET', `/cron/logs?${query}`)).error.code, 'bad_request', query)
  })

  test('are for callers with the permission only', async () => {
    const as = await panel.person()
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/nginx'],
      ['POST', '/nginx/stop'],
      ['GET', '/nginx/logs'],
    ] as const)
      assert.equal((await ask(method, path, as)).error.code, 'forbidden')
    assert.equal(units.get('nginx')?.isActive, true)
  })

  test('that failed are told on the dashboard', async () => {
    const { data } = await panel.request('GET', '/api/dashboard', { as: panel.admin })
    const tile = data.tiles.find((each: any) => each.name === 'services')
    assert.deepEqual([tile.state, tile.summary], ['ok', '2 running'])
  })
})
