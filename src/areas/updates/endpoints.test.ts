import assert from 'node:assert/strict'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, it, mock } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import type { Script } from '../../host/testing/scripted-run.ts'
import { type ScriptedPackage, scriptUpdates } from '../../host/testing/scripted-updates.ts'

const security = 'Debian-Security:12/oldstable-security'
const skip = process.getuid?.() !== 0 && 'only root installs updates'

describe('the updates of the host', () => {
  const packages = new Map<string, ScriptedPackage>()
  let failure: string | undefined
  let panel: TestPanel
  before(async () => {
    const failing: Script = (argv) =>
      failure !== undefined && argv.includes('--simulate') ? { code: 100, stderr: failure } : undefined
    panel = await openTestPanel({ scripts: [failing, scriptUpdates(packages)] })
    for (const path of ['run', 'var/lib/dpkg']) mkdirSync(`${panel.root}/${path}`, { recursive: true })
    await panel.start()
  })
  after(async () => {
    mock.restoreAll()
    await panel.close()
  })
  beforeEach(() => {
    failure = undefined
    packages.clear()
    packages.set('base-files', { installed: '12.4+deb12u11', candidate: '12.4+deb12u15' })
    packages.set('libssl3', { installed: '3.0.19', candidate: '3.0.22', source: security })
    packages.set('mariadb-server', { installed: '10.11.1', candidate: '10.11.2', isHeld: true })
    packages.set('sed', { installed: '4.9', candidate: '4.9' })
  })
  const read = async (as = panel.admin) => panel.request('GET', '/api/system/updates', { as })
  const ask = async (body: object, query = '') =>
    panel.request('POST', `/api/system/updates${query}`, { as: panel.admin, body })
  const followed = async (body: object) => {
    const { status, data, text } = await ask(body)
    assert.equal(status, 202, text)
    return (await panel.request('GET', `/api/jobs/${data.job_id}/events`, { as: panel.admin })).text
  }
  const installedOf = (name: string) => packages.get(name)?.installed

  it('are listed to any signed-in user, security updates first, with those on hold', async () => {
    const { status, data } = await read(await panel.person())
    assert.equal(status, 200)
    assert.deepEqual(
      data.updates.map((each: any) => [each.package, each.current, each.candidate, each.security, each.held]),
      [
        ['libssl3', '3.0.19', '3.0.22', true, false],
        ['base-files', '12.4+deb12u11', '12.4+deb12u15', false, false],
        ['mariadb-server', '10.11.1', '10.11.2', false, true],
      ],
    )
    assert.deepEqual([data.updates[0].source, data.unfinished, data.reboot_required], [security, [], false])
    assert.equal((await panel.request('GET', '/api/system/updates')).error.code, 'unauthorized')
  })

  it('say that the host must be restarted, and for which packages', async () => {
    writeFileSync(`${panel.root}/run/reboot-required`, '*** System restart required ***\n')
    writeFileSync(`${panel.root}/run/reboot-required.pkgs`, 'linux-base\nlibc6\nlinux-base\n')
    const { data } = await read()
    assert.deepEqual([data.reboot_required, data.reboot_packages], [true, ['libc6', 'linux-base']])
    rmSync(`${panel.root}/run/reboot-required`)
    rmSync(`${panel.root}/run/reboot-required.pkgs`)
  })

  it('are on the dashboard of superusers, and read again only after dpkg has changed something', async () => {
    const status = `${panel.root}/var/lib/dpkg/status`
    const tile = async () =>
      (await panel.request('GET', '/api/dashboard', { as: panel.admin })).data.tiles.find(
        ({ name }: { name: string }) => name === 'updates',
      )
    writeFileSync(status, 'Package: libssl3\n')
    const { state, summary, items } = await tile()
    assert.deepEqual([state, summary, items[0].title], ['attention', '3 pending; 1 for security', 'libssl3'])
    packages.get('libssl3')!.installed = '3.0.22'
    const before = panel.scripted.commands.length
    assert.equal((await read()).data.updates.length, 3)
    assert.equal(panel.scripted.commands.length, before)
    writeFileSync(`${status}-new`, 'Package: libssl3\nVersion: 3.0.22\n')
    renameSync(`${status}-new`, status)
    assert.equal((await tile()).summary, '2 pending')
    rmSync(status)
  })

  it('cannot be listed where apt fails: its message is answered', async () => {
    failure = 'E: The package lists or status file could not be parsed or opened.'
    const { status, error } = await read()
    assert.deepEqual([status, error.code, error.message], [500, 'updates_unknown', failure])
  })

  it('are planned with each package and its versions', { skip }, async () => {
    const { data } = await ask({ action: 'install' }, '?plan=1')
    const [step] = data.steps
    assert.equal(step.title, 'Update 2 packages')
    assert.deepEqual(step.details.slice(1), [
      'base-files: 12.4+deb12u11 to 12.4+deb12u15',
      'libssl3: 3.0.19 to 3.0.22',
    ])
    assert.ok(step.irreversible)
    assert.equal(installedOf('libssl3'), '3.0.19')
  })

  it('are installed by a job, but not those on hold', { skip }, async () => {
    assert.match(await followed({}), /"state":"succeeded"/)
    assert.deepEqual(['base-files', 'libssl3', 'mariadb-server'].map(installedOf), [
      '12.4+deb12u15',
      '3.0.22',
      '10.11.1',
    ])
    assert.deepEqual(
      (await read()).data.updates.map((each: any) => each.package),
      ['mariadb-server'],
    )
    assert.match(await followed({}), /"state":"succeeded"/)
  })

  it('of archives of security updates are installed alone', { skip }, async () => {
    assert.match(await followed({ action: 'install_security' }), /"state":"succeeded"/)
    assert.deepEqual(['base-files', 'libssl3'].map(installedOf), ['12.4+deb12u11', '3.0.22'])
  })

  it(
    'whose set-up fails are reported with its message, and completed by the next run',
    { skip },
    async () => {
      const failing = packages.get('libssl3')!
      failing.failure = 'dpkg: error processing package libssl3 (--configure)'
      const text = await followed({})
      assert.match(text, /"state":"failed"/)
      assert.match(text, /error processing package libssl3/)
      const { data } = await read()
      assert.deepEqual(data.unfinished, ['libssl3'])
      delete failing.failure
      const plan = await ask({}, '?plan=1')
      assert.match(plan.data.steps[0].details[1], /set-up of libssl3$/)
      assert.match(await followed({}), /"state":"succeeded"/)
      assert.deepEqual((await read()).data.unfinished, [])
    },
  )

  it('have lists that are fetched, and when', { skip }, async () => {
    assert.equal((await read()).data.lists_fetched_at, null)
    assert.match(await followed({ action: 'refresh' }), /Hit:1 file:[\s\S]*"state":"succeeded"/)
    assert.equal(typeof (await read()).data.lists_fetched_at, 'string')
    assert.equal(installedOf('libssl3'), '3.0.19')
  })

  it('are for superusers, with a known action, and as root', async () => {
    assert.equal((await ask({ action: 'reboot' })).error.code, 'bad_request')
    const as = await panel.person({ permissions: ['administrative_operations'] })
    const { error } = await panel.request('POST', '/api/system/updates', { as, body: {} })
    assert.equal(error.code, 'forbidden')
    mock.method(process as { getuid: () => number }, 'getuid', () => 1000)
    const refused = await ask({})
    assert.deepEqual([refused.status, refused.error.code], [503, 'unavailable'])
    mock.restoreAll()
  })
})

it('are not run twice at a time: already_running', { skip }, async () => {
  const panel = await openTestPanel({ scripts: [scriptUpdates(new Map())] })
  const ask = () =>
    panel.request('POST', '/api/system/updates', { as: panel.admin, body: { action: 'refresh' } })
  assert.equal((await ask()).status, 202)
  const { status, error } = await ask()
  assert.deepEqual([status, error.code], [409, 'already_running'])
  await panel.close()
})
