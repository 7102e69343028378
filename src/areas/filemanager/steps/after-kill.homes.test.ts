import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { stepRun } from '../../../../test/support/step-run.ts'
import type { StepKind } from '../../../core/change.ts'
import { asOwner, makeBench, skip, type Bench } from '../../../host/owner/testing/homes.ts'
import type { HistoryRecorder } from '../history/history-recorder.ts'
import { filemanagerSteps } from './index.ts'

const text = (path: string) => ({ field: 'path', path })

describe('a step completed just before the panel was killed', { skip }, () => {
  let bench: Bench
  before(() => {
    bench = makeBench()
    asOwner(
      bench.alice,
      'sh',
      '-c',
      'mkdir -p tree/sub full/tree/sub taken && echo one >tree/sub/a && echo two >b.txt && tar -cf tree.tar tree',
    )
  })
  after(() => bench.remove())
  const owner = () => bench.owners.of(bench.alice)
  const recorder: HistoryRecorder = {
    replacing: async (_, work) => work(owner()),
    replacingLate: async (_, work) => work(owner(), async () => {}),
    replacingMany: async (_, work) => work(owner(), { maxFileBytes: 0, keep: async () => ({ notKept: 0 }) }),
    follow: async () => {},
  }
  const steps = filemanagerSteps(async () => owner(), recorder)

  /** Returns the results of `check` before and after the step acted. */
  async function states(kind: StepKind<any, any, unknown, any>, more: object): Promise<readonly string[]> {
    const args = { username: 'alice', ...more }
    const seen = JSON.parse(JSON.stringify(await kind.observe(args)))
    const early = await kind.check(args, seen)
    await kind.act(args, stepRun(seen))
    return [early, await kind.check(args, seen)]
  }

  const place = { overwrite: false, into: true, by: 1 }
  for (const [title, kind, args, expected] of [
    [
      'a copy of a folder',
      steps.copy,
      { from: text('tree'), to: text('copied'), ...place },
      ['before', 'wanted'],
    ],
    [
      'a copy into a folder',
      steps.copy,
      { from: text('b.txt'), to: text('taken'), ...place },
      ['before', 'wanted'],
    ],
    [
      'a copy over a file',
      steps.copy,
      { from: text('b.txt'), to: text('tree/sub/a'), ...place, overwrite: true },
      ['before', 'wanted'],
    ],
    ['a move', steps.move, { from: text('copied'), to: text('moved'), ...place }, ['before', 'wanted']],
    [
      'an archive that is made',
      steps.compress,
      { paths: [text('tree')], archive: 'x.tar.gz' },
      ['before', 'wanted'],
    ],
    [
      'an archive whose name was taken',
      steps.compress,
      { paths: [text('tree')], archive: 'x.tar.gz' },
      ['before', 'wanted'],
    ],
    [
      'an archive that is unpacked into a new folder',
      steps.extract,
      { archive: text('tree.tar'), dest: text('new/out') },
      ['before', 'wanted'],
    ],
    [
      'an archive that is unpacked over a folder',
      steps.extract,
      { archive: text('tree.tar'), dest: text('full') },
      ['other', 'other'],
    ],
    ['a mode', steps.chmod, { path: text('b.txt'), mode: 0o600, recursive: false }, ['before', 'wanted']],
    [
      'modes of a tree',
      steps.chmod,
      { path: text('tree'), mode: 0o700, recursive: true },
      ['other', 'wanted'],
    ],
  ] as const)
    it(`is recognized as done: ${title}`, async () => assert.deepEqual(await states(kind, args), expected))

  it('is recognized as done: restoring from the trash or deleting from it', async () => {
    for (const name of ['t1', 't2', 't3']) {
      await owner().write(name, Buffer.from(name))
      await owner().remove([name], { trash: true })
    }
    const [first = '', second = ''] = (await owner().trash.list()).items.map(({ id }) => id)
    assert.deepEqual(await states(steps.restore, { ids: [first] }), ['before', 'wanted'])
    assert.deepEqual(await states(steps.empty, { ids: [second] }), ['before', 'wanted'])
    assert.equal(
      await steps.empty.check(
        { username: 'alice', ids: [second, (await owner().trash.list()).items[0]?.id ?? ''] },
        null,
      ),
      'other',
    )
    assert.deepEqual(await states(steps.empty, {}), ['other', 'wanted'])
  })

  it('is not taken for done if the destination has another entry', async () => {
    const args = { username: 'alice', from: text('tree'), to: text('else'), ...place }
    const seen = await steps.copy.observe(args)
    mkdirSync(join(bench.alice.home, 'else'))
    assert.equal(await steps.copy.check(args, seen), 'other')
    rmSync(join(bench.alice.home, 'else'), { recursive: true })
    writeFileSync(join(bench.alice.home, 'else'), 'a file')
    assert.equal(await steps.copy.check(args, seen), 'other')
  })
})
