import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { KeyedMutex } from '../../src/core/keyed-mutex.ts'
import { oneOf } from '../../src/core/tool.ts'
import { openApplyEdit } from '../../src/host/apply/edited.ts'
import { openApply } from '../../src/host/apply/index.ts'
import { openHost } from '../../src/host/index.ts'
import { openList } from '../../src/tools/open-tools.ts'
import { stepRun } from '../support/step-run.ts'
import { proveStep, scratchRoot } from '../support/step-suite.ts'
import type { Stoppable } from '../support/stoppable.ts'
import { openSampleHost, sampled, stamped } from './tool.fixture.ts'

async function machine(t: TestContext) {
  const root = scratchRoot(t)
  return { root, ...(await openSampleHost(root)) }
}

type Machine = Awaited<ReturnType<typeof machine>>

function open(of: Machine, door: Stoppable['door'] = (thing) => thing) {
  const files = door(of.files)
  const host = openHost({ root: of.root, run: door(of.run) })
  const locks = new KeyedMutex<string>()
  return openList(
    { sampled, stamped },
    { ...host, files, ...openApply(files, locks), ...openApplyEdit(files, locks) },
    {},
  )
}

const pools = (content: string | null) => ({
  pools: ['a', 'b'].map((name) => ({ name, content: content && `pool ${name} ${content}\n` })),
})

/** The content on the disk, and the content that the program has loaded. */
const look =
  (name: 'sampled-2' | 'stamped', directory: string) =>
  async ({ files, served }: Machine) => ({
    main: await files.read(`${directory}/main.conf`),
    servesMain: served.get(name)?.includes((await files.read(`${directory}/main.conf`)) ?? ''),
    pools: await files.list(`${directory}/pools`),
    served: served.get(name)?.match(/^pool .*$/gm) ?? [],
  })
const sampledLook = look('sampled-2', '/etc/sampled/2')
const untouched = { main: 'size=1\n', servesMain: true, pools: [], served: [] }

proveStep<Machine>('sampled@2.write-pools', {
  machine,
  open: (of, door) => open(of, door).sampled['2'].steps.writePools,
  look: sampledLook,
  cases: {
    'two new files': {
      args: pools('x'),
      wanted: { ...untouched, pools: ['a', 'b'], served: ['pool a x', 'pool b x'] },
      handEdit: ({ files }) => files.write('/etc/sampled/2/pools/a', 'mine\n'),
    },
  },
})

proveStep<Machine>('sampled@2.edit-main', {
  machine,
  open: (of, door) => open(of, door).sampled['2'].steps.editMain,
  look: sampledLook,
  cases: {
    'a changed line': {
      args: { key: 'size', value: '5' },
      wanted: { ...untouched, main: 'size=5\n' },
      handEdit: ({ files }) => files.write('/etc/sampled/2/main.conf', 'size=1\nmine=1\n'),
      onTop: { ...untouched, main: 'size=5\nmine=1\n' },
    },
  },
})

proveStep<Machine>('stamped.edit-main', {
  machine,
  open: (of, door) => open(of, door).stamped.steps.editMain,
  look: look('stamped', '/etc/stamped'),
  cases: {
    'a changed line': {
      args: { key: 'size', value: '5' },
      wanted: { ...untouched, main: 'size=5\n' },
      handEdit: ({ files }) => files.write('/etc/stamped/main.conf', 'size=1\nmine=1\n'),
      onTop: { ...untouched, main: 'size=5\nmine=1\n' },
    },
  },
})

test('each version of a tool has its own name, packages and steps', async (t) => {
  const { sampled: versions, programs, steps } = open(await machine(t))
  assert.deepEqual(sampled.packages, ['sampled-1', 'sampled-2'])
  assert.deepEqual([versions['1'].name, versions['2'].name], ['sampled@1', 'sampled@2'])
  assert.deepEqual(
    programs.map(({ name }) => name),
    ['sampled@1', 'sampled@2', 'stamped'],
  )
  assert.deepEqual(
    steps.map(({ name }) => name).filter((name) => !name.startsWith('program.')),
    ['1', '2']
      .flatMap((each) => ['write-pools', 'write-key', 'edit-main'].map((step) => `sampled@${each}.${step}`))
      .concat('stamped.edit-main', 'stamped.write-sites'),
  )
  await versions['1'].steps.writePools.act(pools('x'), stepRun({ was: null }))
})

test('a need is met by one version, by any version, or by one of several tools', async (t) => {
  const of = await machine(t)
  const { detect } = open(of)
  of.missing.add('sampled-1')
  const isPresent = async (need: Parameters<typeof detect>[0]) => (await detect(need)).present
  assert.equal(await isPresent('sampled@1'), false)
  assert.equal(await isPresent('sampled@2'), true)
  assert.equal((await detect('sampled')).program, 'sampled@2')
  assert.equal((await detect(oneOf('sampled@1', 'stamped'))).program, 'stamped')
  of.missing.add('stamped')
  assert.deepEqual(
    [(await detect(oneOf('sampled@1', 'stamped'))).reason, (await detect('stamped')).reason],
    ['one of these is needed: sampled@1, stamped', 'stamped is not installed'],
  )
  // @ts-expect-error -- no tool has this name
  await assert.rejects(detect(oneOf('sampled', 'samplet')), /no tool is named/)
})

for (const [fault, reason] of [
  ['forbidden', /^\/etc\/sampled\/2\/pools\/a:1: forbidden$/],
  ['unbuildable', /^sampled-build: cannot build$/],
  ['stuck', /^sampled-2: it was not started anew$/],
  ['mute', /^sampled-2: it does not answer$/],
] as const) {
  test(`files that make the program ${fault} are not kept`, async (t) => {
    const of = await machine(t)
    const { steps } = open(of).sampled['2']
    await assert.rejects(steps.writePools.act(pools(fault), stepRun({ was: {} })), { message: reason })
    assert.deepEqual(await sampledLook(of), untouched)
    const edit = steps.editMain
    await assert.rejects(
      edit.act({ key: 'size', value: fault }, stepRun(await edit.observe({ key: 'size', value: fault }))),
      /forbidden|build|anew|answer/,
    )
    assert.deepEqual(await sampledLook(of), untouched)
  })
}

test('a reload without the new generation is refused, and the old file is served', async (t) => {
  const of = await machine(t)
  const { editMain, writeSites } = open(of).stamped.steps
  const args = { key: 'size', value: 'stuck' }
  await assert.rejects(
    editMain.act(args, stepRun(await editMain.observe(args))),
    /kept its old configuration/,
  )
  assert.deepEqual(await look('stamped', '/etc/stamped')(of), untouched)
  await writeSites.act({ content: 'pool s\n' }, stepRun({ was: null }))
  assert.deepEqual((await look('stamped', '/etc/stamped')(of)).served, ['pool s'])
})

test('a stopped program is not started, and an owned file has its rights', async (t) => {
  const of = await machine(t)
  of.served.delete('stamped')
  const { writeSites } = open(of).stamped.steps
  await writeSites.act({ content: 'pool s\n' }, stepRun({ was: null }))
  assert.equal(of.served.has('stamped'), false)
  assert.match((await of.files.read('/etc/stamped/sites.conf')) ?? '', /pool s/)
  await open(of).sampled['2'].steps.writeKey.act({ content: 'k' }, stepRun({ was: null }))
  assert.equal((await of.files.facts('/etc/sampled/2/pools/key'))?.mode, 0o600)
})

test('owned and edited files of one tool are never loaded at the same time', async (t) => {
  const of = await machine(t)
  const { writePools, editMain } = open(of).sampled['2'].steps
  const args = { key: 'size', value: '7' }
  const before = await editMain.observe(args)
  await Promise.all([writePools.act(pools('x'), stepRun({ was: null })), editMain.act(args, stepRun(before))])
  const lines = of.commands
    .map(([program]) => program)
    .filter((name) => name === 'sampled-build' || name === 'sampled-ask')
  assert.deepEqual(lines, ['sampled-build', 'sampled-ask', 'sampled-build', 'sampled-ask'])
})
