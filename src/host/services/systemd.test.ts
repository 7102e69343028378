import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFiles } from '../files.ts'
import { scriptedRun } from '../testing/scripted-run.ts'
import { dependentsOf } from './dependents.ts'
import { ownUnit, systemd } from './systemd.ts'

const block = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

test('lists the loaded services and those that only have a unit file, by two calls', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'hs-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [own, vendor] = [join(root, 'etc/systemd/system'), join(root, 'usr/lib/systemd/system')]
  for (const folder of [vendor, join(own, 'getty.target.wants')]) mkdirSync(folder, { recursive: true })
  for (const name of ['cron', 'getty@', 'x']) writeFileSync(join(vendor, `${name}.service`), '')
  symlinkSync('x.service', join(own, 'alias-of-x.service'))
  symlinkSync('getty@.service', join(own, 'getty.target.wants/getty@tty1.service'))
  const scripted = scriptedRun((argv) => {
    if (argv[1] === 'list-units')
      return {
        stdout:
          'cron.service loaded active running Regular background\n  getty@tty1.service loaded failed failed Getty\ngone.service not-found inactive dead gone.service\n',
      }
    assert.deepEqual(argv.slice(3), ['--', 'cron.service'], 'only the running ones are asked for one by one')
    const fields = { Id: 'cron.service', LoadState: 'loaded', ActiveState: 'active', SubState: 'running' }
    return { stdout: block({ ...fields, MemoryCurrent: '4096', UnitFileState: 'enabled' }) }
  })
  const all = await systemd(scripted.run, openFiles(root)).list()
  assert.deepEqual(
    all.map(({ name, active, enabled, state, memory_bytes }) => [name, active, enabled, state, memory_bytes]),
    [
      ['cron', true, true, 'active (running)', 4096],
      ['x', false, false, 'inactive (dead)', null],
      ['getty@tty1', false, true, 'failed (failed)', null],
    ],
  )
  assert.equal(scripted.commands.length, 2)
})

test('finds the running units that stop with a service over several levels, and what starts it again', async () => {
  const units: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'db.service': { RequiredBy: 'app.service off.service', BoundBy: '', TriggeredBy: 'db.socket' },
    'app.service': { ActiveState: 'active', ConsistsOf: 'web.service db.service' },
    'off.service': { ActiveState: 'inactive', RequiredBy: 'never.service' },
    'web.service': { ActiveState: 'active' },
    'db.socket': { ActiveState: 'active' },
  }
  const scripted = scriptedRun((argv) => ({
    stdout: argv
      .slice(argv.indexOf('--') + 1)
      .map((name) => block({ Id: name, ...units[name] }))
      .join('\n'),
  }))
  assert.deepEqual(await dependentsOf(scripted.run, 'db.service'), {
    stopped: ['app.service', 'web.service'],
    triggers: ['db.socket'],
  })
})

test('finds the unit of the panel by its control groups', () => {
  assert.equal(ownUnit('0::/system.slice/hostreeve.service\n'), 'hostreeve')
  assert.equal(ownUnit('0::/system.slice/system-panel.slice/panel@2.service/main\n'), 'panel@2')
  assert.equal(ownUnit('12:cpu:/x.service\n1:name=systemd:/system.slice/hr.service\n'), 'hr')
  assert.equal(ownUnit('0::/user.slice/user-0.slice/session-3.scope\n'), undefined)
})
