import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { after, describe, it } from 'node:test'
import { verifyActivity } from './activity.ts'
import { openExecutor } from './executor.ts'
import {
  fileState,
  files,
  fileStep,
  fiveSteps,
  kindsOf,
  layOut,
  openParcels,
  orderOf,
  quiet,
} from './testing/parcel.ts'

const root = mkdtempSync('/tmp/hostreeve-fault-')
after(() => rmSync(root, { recursive: true }))
const panel = fileURLToPath(new URL('./testing/killed-panel.ts', import.meta.url))
const former = files.map(({ before }) => before)
const wanted = files.map(({ wanted: text }) => text)
const kind = fileStep('file.write')

function killAt(point: string) {
  const directory = `${root}/${point.replace(':', '-')}`
  mkdirSync(directory)
  layOut(directory)
  const { signal, stdout, stderr } = spawnSync(
    process.execPath,
    [panel, `${directory}/var`, directory, point],
    { encoding: 'utf8', timeout: 300_000 },
  )
  return { directory, signal, stdout, stderr }
}

async function startAgain(directory: string) {
  const store = await openParcels(`${directory}/var`)
  const recoveries = await openExecutor({ store, log: quiet }).recover(kindsOf(kind))
  const rows = await store.db.selectFrom('parcels').select(['label', 'revision']).orderBy('id').execute()
  const state = {
    files: fileState(directory),
    isSent: rows.some(({ label }) => label === 'sent'),
    isCounted: rows.some(({ label, revision }) => label === 'counter' && revision === 2),
    jobs: (await store.db.selectFrom('jobs').select('id').execute()).length,
    entries: await store.db.selectFrom('activity').select('status').execute(),
    unsettled: (await store.db.selectFrom('changes').select('id').where('state', '=', 'intended').execute())
      .length,
    chain: await verifyActivity(store, new AbortController().signal),
  }
  return { store, recoveries, state }
}

const undone = [
  'intended',
  'before:0',
  'half:a',
  'after:0',
  'before:1',
  'half:b',
  'after:1',
  'before:2',
  'half:c',
  'after:2',
  'before:3',
  'half:d',
  'after:3',
  'before:4',
  'half:e',
]
const done = ['after:4', 'acted']

describe('a panel that is killed within a change of five steps', () => {
  for (const point of undone) {
    it(`stands as before after its next start when it died at ${point}`, async () => {
      const { directory, signal } = killAt(point)
      assert.equal(signal, 'SIGKILL')
      const { store, recoveries, state } = await startAgain(directory)
      assert.deepEqual(
        recoveries.map(({ outcome }) => outcome),
        ['restored'],
      )
      assert.deepEqual(state.files, former)
      assert.deepEqual(
        [state.isSent, state.isCounted, state.jobs, state.unsettled, state.chain.ok],
        [false, false, 0, 0, true],
      )
      assert.deepEqual(
        state.entries.map(({ status }) => status),
        ['restored'],
      )
      await store.close()
    })
  }

  for (const point of done) {
    it(`stands as wanted after its next start when it died at ${point}, and goes on with fresh ids`, async () => {
      const { directory, signal } = killAt(point)
      assert.equal(signal, 'SIGKILL')
      const { store, recoveries, state } = await startAgain(directory)
      assert.deepEqual(
        recoveries.map(({ outcome }) => outcome),
        ['ok'],
      )
      assert.deepEqual(state.files, wanted)
      assert.deepEqual(
        [state.isSent, state.isCounted, state.jobs, state.unsettled, state.chain.ok],
        [true, true, 1, 0, true],
      )
      const next = await openExecutor({ store, log: quiet }).execute(
        orderOf(async () => fiveSteps(store, directory, kind)),
      )
      assert.equal(next.reply.id, 2)
      await store.close()
    })
  }

  it('stands as wanted when it died just after it settled, and has nothing left to settle', async () => {
    const { directory, signal } = killAt('settled')
    assert.equal(signal, 'SIGKILL')
    const { store, recoveries, state } = await startAgain(directory)
    assert.deepEqual(recoveries, [])
    assert.deepEqual([state.files, state.isSent, state.jobs, state.chain.ok], [wanted, true, 1, true])
    await store.close()
  })

  it('leaves nothing to settle when it was not killed', async () => {
    const { directory } = killAt('none')
    const first = await startAgain(directory)
    await first.store.close()
    const second = await startAgain(directory)
    assert.deepEqual([first.recoveries, second.recoveries, second.state.isSent], [[], [], true])
    await second.store.close()
  })
})
