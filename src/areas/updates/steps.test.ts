import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../test/support/stoppable.ts'
import { openFiles } from '../../host/files.ts'
import { openPackages } from '../../host/packages.ts'
import { type Script, scriptedRun } from '../../host/testing/scripted-run.ts'
import { type ScriptedPackage, scriptUpdates } from '../../host/testing/scripted-updates.ts'
import { fetchLists } from './fetch-lists.ts'
import { installUpdates } from './install-updates.ts'

type Machine = Map<string, ScriptedPackage>

const version: Script = (argv) => (argv[1] === '--version' ? { stdout: 'apt 2.6.1 (amd64)\n' } : undefined)
const runOn = (machine: Machine) => scriptedRun(version, scriptUpdates(machine)).run
const open = (machine: Machine, door: Stoppable['door'] = (thing) => thing) =>
  installUpdates(openPackages(door(runOn(machine))))
const machine = (): Machine =>
  new Map([
    ['libssl3', { installed: '3.0.19', candidate: '3.0.22', isAutomatic: true }],
    ['held', { installed: '1', candidate: '2', isHeld: true }],
  ])
const libssl3 = { name: 'libssl3', current: '3.0.19', candidate: '3.0.22' }
const args = { updates: [libssl3], unfinished: [] }

proveStep<Machine>('updates.install', {
  machine,
  open,
  look: (host) =>
    [...host].map(([name, { installed, isUnfinished = false, isAutomatic = false }]) => [
      name,
      installed,
      isUnfinished,
      isAutomatic,
    ]),
  withoutHandEdit: 'final',
  cases: {
    'an update': {
      args,
      wanted: [
        ['libssl3', '3.0.22', false, true],
        ['held', '1', false, false],
      ],
    },
    'an update after one that was not set up': {
      arrange: (host) => void host.set('shop', { installed: '2', candidate: '2', isUnfinished: true }),
      args: { ...args, unfinished: ['shop'] },
      wanted: [
        ['libssl3', '3.0.22', false, true],
        ['held', '1', false, false],
        ['shop', '2', false, false],
      ],
    },
  },
})

proveStep<string>('updates.fetch-lists', {
  machine: (t) => scratchRoot(t),
  open: (root, door) =>
    fetchLists({ packages: openPackages(door(runOn(new Map()))), files: door(openFiles(root)) }),
  look: async (root) => (await openFiles(root).read('/var/lib/apt/periodic/update-success-stamp')) ?? null,
  withoutHandEdit: 'final',
  cases: { 'the lists': { args: null, wanted: '' } },
})

test('updates of which a part is installed, or not set up, are neither done nor undone', async () => {
  const host = machine().set('sed', { installed: '1', candidate: '2' })
  const kind = open(host)
  const both = { updates: [libssl3, { name: 'sed', current: '1', candidate: '2' }], unfinished: [] }
  assert.equal(await kind.check(both, { automatic: [] }), 'before')
  host.get('libssl3')!.installed = '3.0.22'
  assert.equal(await kind.check(both, { automatic: [] }), 'other')
  host.get('sed')!.installed = '2'
  assert.equal(await kind.check(both, { automatic: [] }), 'wanted')
  host.get('sed')!.isUnfinished = true
  assert.equal(await kind.check(both, { automatic: [] }), 'other')
})
