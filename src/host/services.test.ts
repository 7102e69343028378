import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Problem } from '../core/problem.ts'
import { openFiles, type Files } from './files.ts'
import { openServices } from './services.ts'
import { scriptSystemd } from './testing/scripted-host.ts'
import { missing, on, scriptedRun } from './testing/scripted-run.ts'

let root: string
let files: Files
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hs-'))
  files = openFiles(root)
})
afterEach(() => rm(root, { recursive: true, force: true }))

describe('with systemd', () => {
  const units = () =>
    new Map([
      ['nginx', { isActive: true, isEnabled: true }],
      ['cron', { isActive: false, isEnabled: false }],
    ])
  beforeEach(() => files.makeDirectory('/run/systemd/system'))

  test('describes a service, with its memory in bytes and its start in UTC', async () => {
    const services = openServices(scriptedRun(scriptSystemd(units())).run, files)
    assert.deepEqual(await services.status('nginx'), {
      name: 'nginx',
      description: 'The nginx service',
      active: true,
      enabled: true,
      state: 'active (running)',
      memory_bytes: 6_291_456,
      started_at: '2026-11-21T05:12:13Z',
    })
    assert.deepEqual(
      (await services.list()).map((each) => [each.name, each.active]),
      [
        ['nginx', true],
        ['cron', false],
      ],
    )
  })

  test('distinguishes a service that was stopped on purpose from a running one', async () => {
    const services = openServices(scriptedRun(scriptSystemd(units())).run, files)
    assert.equal(await services.isStoppedOnPurpose('nginx'), false)
    await services.act('nginx', 'stop')
    assert.equal(await services.isStoppedOnPurpose('nginx'), true)
    await services.start('nginx')
    assert.equal((await services.status('nginx')).active, true)
  })

  test('fails with not found for an unknown service, and with its own message for a failing one', async () => {
    const services = openServices(scriptedRun(scriptSystemd(units())).run, files)
    await assert.rejects(services.status('none'), (error: Problem) => error.kind.code === 'not_found')
    await assert.rejects(services.start('none'), { message: 'none: start: Unit none.service not loaded.' })
  })

  for (const name of ['--now', '', 'a b', 'a/b', 'a\nb', 'x'.repeat(300)]) {
    test(`runs nothing for the name ${JSON.stringify(name.slice(0, 20))}`, async () => {
      const scripted = scriptedRun(scriptSystemd(units()))
      await assert.rejects(
        openServices(scripted.run, files).act(name, 'start'),
        (error: Problem) => error.kind.code === 'not_found',
      )
      assert.deepEqual(
        scripted.commands.filter((argv) => argv[1] !== '--version'),
        [],
      )
    })
  }
})

describe('with init scripts', () => {
  beforeEach(async () => {
    await files.makeDirectory('/etc/init.d')
    await files.makeDirectory('/etc/rc2.d')
    await files.write(
      '/etc/init.d/nginx',
      '#!/bin/sh\n### BEGIN INIT INFO\n# Short-Description: starts the nginx web server\n### END INIT INFO\n',
    )
    await files.write('/etc/rc2.d/S01nginx', '')
  })

  test('calls the script, and shows its description', async () => {
    const { run: scripted } = scriptedRun(
      on('service --version'),
      on('service --status-all', { stdout: ' [ - ]  nginx\n [ + ]  cron\n' }),
    )
    const services = openServices(scripted, files)
    assert.deepEqual(await services.list(), [
      {
        name: 'nginx',
        description: 'starts the nginx web server',
        active: false,
        enabled: true,
        state: 'stopped',
        memory_bytes: null,
        started_at: null,
      },
    ])
  })

  test('enables through update-rc.d', async () => {
    const scripted = scriptedRun(on('service --version'), on('update-rc.d nginx enable'))
    await openServices(scripted.run, files).act('nginx', 'enable')
    assert.deepEqual(scripted.commands.at(-1), ['update-rc.d', 'nginx', 'enable'])
  })
})

test('is unavailable with the reason if there is no service system', async () => {
  const services = openServices(scriptedRun(missing('service')).run, files)
  assert.equal((await services.detect()).reason, 'neither systemd nor init scripts run services here')
  await assert.rejects(services.list(), (error: Problem) => error.kind.code === 'unavailable')
})

test('an unscripted command fails by its name', async () => {
  const scripted = scriptedRun(on('true'))
  await assert.rejects(scripted.run(['false', 'x']), { message: 'not scripted: false x' })
  assert.throws(() => scripted.assertAllScripted(), /false x/)
})
