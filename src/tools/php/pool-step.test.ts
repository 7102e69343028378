import assert from 'node:assert/strict'
import { it, test, type TestContext } from 'node:test'
import type { Stoppable } from '../../../test/support/stoppable.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import type { PhpProgram } from './master.ts'
import { masterPath, poolPath, socketOf } from './pool.ts'
import { setPools } from './pool-step.ts'
import { generationOf, renderMaster, renderPool, type PoolDraft } from './render-pool.ts'

const place = { id: 5, version: '8.2', username: 'ada' }
const other = { ...place, id: 6 }
const draft: PoolDraft = {
  ...place,
  domain: 'ada.example.com',
  folder: '/home/ada/sites/ada.example.com',
  memoryMb: 128,
  maxChildren: 5,
  uploadMb: 32,
  seconds: 30,
  iniDigest: '0123456789abcdef',
  values: [],
}
const content = renderPool(draft)
const former = renderPool({ ...draft, memoryMb: 64 })
const others = renderPool({ ...draft, ...other })
const master = { version: '8.2', username: 'ada', uid: 1000 }

interface Machine {
  readonly host: Host
  readonly program: PhpProgram
}

/** A php-fpm that serves what its files had at its last start or reload. */
function machineOf(t: TestContext): Machine {
  const host = openHost({ root: scratchRoot(t), run: scriptedRun().run })
  let served: ReadonlyMap<string, string | undefined> | undefined
  const load = async () => {
    const loaded = new Map<string, string | undefined>()
    for (const each of [place, other]) {
      const text = await host.files.read(poolPath(each))
      if (text !== undefined) loaded.set(socketOf(each), generationOf(text))
    }
    served = loaded
  }
  const program: PhpProgram = {
    hasUnits: async () => false,
    check: async () => undefined,
    isRunning: async () => served !== undefined,
    start: load,
    reload: load,
    stop: async () => void (served = undefined),
    served: async (socket) => served?.get(socket),
  }
  return { host, program }
}

const open = ({ host, program }: Machine, door: Stoppable['door']) =>
  setPools({ host: { ...host, files: door(host.files) }, program: door(program) })

const put =
  (...pools: readonly (readonly [typeof place, string])[]) =>
  async ({ host, program }: Machine) => {
    await host.files.makeDirectory('/etc/php/8.2/fpm/hostreeve/ada')
    for (const [each, text] of pools) await host.files.write(poolPath(each), text)
    await host.files.write(
      masterPath(place),
      renderMaster(place, pools.map(([each]) => poolPath(each)).toSorted()),
    )
    await program.start(place)
  }

proveStep<Machine>('php.set-pools', {
  machine: machineOf,
  open,
  look: async ({ host, program }) => ({
    pool: (await host.files.read(poolPath(place))) ?? null,
    other: (await host.files.read(poolPath(other))) ?? null,
    served: (await program.served(socketOf(place))) ?? null,
    otherServed: (await program.served(socketOf(other))) ?? null,
  }),
  withoutHandEdit: 'the file belongs to the panel alone',
  cases: {
    'the first pool of an owner': {
      args: { ...master, pools: [{ id: place.id, content }] },
      wanted: { pool: content, other: null, served: generationOf(content), otherServed: null },
    },
    'a changed pool beside another': {
      arrange: put([place, former], [other, others]),
      args: { ...master, pools: [{ id: place.id, content }] },
      wanted: {
        pool: content,
        other: others,
        served: generationOf(content),
        otherServed: generationOf(others),
      },
    },
    'one of two pools changed, and the other removed': {
      arrange: put([place, former], [other, others]),
      args: {
        ...master,
        pools: [
          { id: place.id, content },
          { id: other.id, content: null },
        ],
      },
      wanted: { pool: content, other: null, served: generationOf(content), otherServed: null },
    },
    'the last pool, removed': {
      arrange: put([place, former]),
      args: { ...master, pools: [{ id: place.id, content: null }] },
      wanted: { pool: null, other: null, served: null, otherServed: null },
    },
    'one of two pools, removed': {
      arrange: put([place, former], [other, others]),
      args: { ...master, pools: [{ id: place.id, content: null }] },
      wanted: { pool: null, other: others, served: null, otherServed: generationOf(others) },
    },
  },
})

it('keeps the former pool where php-fpm refuses the new one', async (t) => {
  const machine = machineOf(t)
  await put([place, former])(machine)
  const kind = setPools({
    host: machine.host,
    program: { ...machine.program, check: async () => 'unknown entry' },
  })
  const args = { ...master, pools: [{ id: place.id, content }] }
  const before = await kind.observe(args)
  const run = { before, isJustObserved: true, live: undefined, signal: t.signal, token: '1:0' }
  const acted = kind.act(args, { ...run, progress: () => {}, output: () => {} })
  await assert.rejects(acted, /PHP 8\.2: unknown entry/)
  assert.equal(await machine.host.files.read(poolPath(place)), former)
})

for (const value of ['a\nb', 'a"b', 'a;b', 'a\\b', '${HOME}', '{a'])
  test(`never renders the PHP value ${JSON.stringify(value)}`, () => {
    const values = [{ name: 'date.timezone', value, isFixed: false }]
    assert.throws(() => renderPool({ ...draft, values }), /php-fpm cannot represent/)
  })
