import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openExecutor } from '../changes/executor.ts'
import { openParcels, orderOf, quiet } from '../changes/testing/parcel.ts'
import { change } from '../core/change.ts'
import { Unavailable } from '../core/problem.ts'
import { type Host, openHost } from '../host/index.ts'
import { scriptPackages } from '../host/testing/scripted-host.ts'
import { scriptedRun } from '../host/testing/scripted-run.ts'
import { proveStep, scratchRoot } from '../../test/support/step-suite.ts'
import type { Stoppable } from '../../test/support/stoppable.ts'
import { installationOf, programSteps } from './program-steps.ts'
import { programOf } from './program.ts'

interface Machine {
  readonly host: Host
  readonly installed: Map<string, string>
  readonly isSetUp: Set<string>
}

function machine(root: string): Machine {
  const installed = new Map([
    ['shopd', '1.0'],
    ['shopd-tools', '1.0'],
    ['tzdata', '2026a'],
  ])
  const run = scriptedRun(scriptPackages(installed, { shopd: '1.0', 'shopd-tools': '1.0' })).run
  return { installed, host: openHost({ root, run }), isSetUp: new Set() }
}

const data = '/var/lib/shop'
const parts = { name: 'shop', packages: ['shopd', 'shopd-tools'], dataDirectories: [data] }
const found = { version: null, reason: null }

function open({ host, installed, isSetUp }: Machine, door: Stoppable['door']) {
  const packages = door(host.packages)
  const machine = door({ setUp: async () => void isSetUp.add('shop') })
  const detect = async () => ({ ...found, present: installed.has('shopd'), healthy: isSetUp.has('shop') })
  const program = programOf({ ...host, packages }, { ...parts, detect, setUp: machine.setUp })
  return programSteps({ packages, files: door(host.files) }, [program])
}

proveStep<Machine>('program.remove', {
  machine: (t) => machine(scratchRoot(t)),
  open: (on, door) => open(on, door).removeProgram,
  look: ({ installed }) => [...installed.keys()],
  withoutHandEdit: 'packages are not edited',
  cases: {
    'a program with two packages': { args: { name: 'shop' }, wanted: ['tzdata'] },
    'a program of which one package is there': {
      args: { name: 'shop' },
      arrange: ({ installed }) => installed.delete('shopd'),
      wanted: ['tzdata'],
      callsAsIn: 'a program with two packages',
    },
  },
})

proveStep<Machine>('program.install', {
  machine: (t) => machine(scratchRoot(t)),
  open: (on, door) => open(on, door).installPackages,
  look: ({ installed }) => [...installed.keys()].toSorted(),
  withoutHandEdit: 'packages are not edited',
  cases: {
    'a program of which one package is there': {
      args: { packages: parts.packages, dataDirectories: [] },
      arrange: ({ installed }) => installed.delete('shopd'),
      wanted: ['shopd', 'shopd-tools', 'tzdata'],
    },
  },
})

proveStep<Machine>('program.set-up', {
  machine: (t) => machine(scratchRoot(t)),
  open: (on, door) => open(on, door).setUpProgram,
  look: ({ isSetUp }) => [...isSetUp],
  withoutHandEdit: 'final',
  cases: { 'a program': { args: { name: 'shop' }, wanted: ['shop'] } },
})

test('an installation whose set-up fails is undone: only the new packages and their data go', async (t) => {
  const on = machine(scratchRoot(t))
  on.installed.delete('shopd')
  const store = await openParcels()
  t.after(() => store.close())
  const refuse = async () => {
    await on.host.files.makeDirectory(data)
    throw Unavailable('no room')
  }
  const broken: Stoppable['door'] = (thing) => ('setUp' in thing ? { ...thing, setUp: refuse } : thing)
  const steps = installationOf(open(on, broken), parts, false)
  const decide = async () => change({ summary: 'Install the shop', steps, reply: null })
  await assert.rejects(openExecutor({ store, log: quiet }).execute(orderOf(decide)), /no room/)
  assert.deepEqual([...on.installed.keys()], ['shopd-tools', 'tzdata'])
  assert.equal(await on.host.files.facts(data), undefined)
  const { outcome } = await store.db.selectFrom('changes').select('outcome').executeTakeFirstOrThrow()
  assert.equal(outcome, 'restored')
})
