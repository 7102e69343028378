import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '../../../test/support/until.ts'
import { openStepPrograms } from '../../host/step-programs.ts'
import { verifyActivity } from '../activity.ts'
import { files, fileState, layOut, openParcels } from '../testing/parcel.ts'
import { openTrials, realClocks } from './testing/bench.ts'

const root = mkdtempSync('/tmp/hostreeve-killed-trial-')
after(() => rmSync(root, { recursive: true, force: true }))
const panel = fileURLToPath(new URL('./testing/killed-trial.ts', import.meta.url))
const former = files.map(({ before }) => before)
const wanted = files.map((file) => file.wanted)

function scratch(name: string): string {
  const directory = `${root}/${name.replaceAll(':', '-')}`
  mkdirSync(directory)
  layOut(directory)
  return directory
}

function runPanel(directory: string, killAt: string, seconds: number, mode = ''): void {
  const argv = [panel, `${directory}/var`, directory, killAt, String(seconds), mode]
  const { signal, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', timeout: 300_000 })
  assert.equal(signal, 'SIGKILL', stderr)
}

/** Starts a panel on what a killed one left; it is closed when the function ends. */
async function startAgain(
  directory: string,
  use: (trials: ReturnType<typeof openTrials>, changeId: number) => Promise<unknown> = async () => {},
) {
  const store = await openParcels(`${directory}/var`)
  const trials = openTrials(store, { clocks: realClocks(`${directory}/var/clocks`) })
  await trials.recover()
  const tried = store.db
    .selectFrom('changes')
    .select(['id', 'state', 'outcome'])
    .where('summary', 'like', 'Try%')
  await use(trials, (await tried.executeTakeFirst())?.id ?? 0)
  await until(async () => (await tried.execute()).every(({ state }) => state === 'settled'))
  await until(() => trials.executor.locks.isFree(['parcel']))
  const [row] = await tried.execute()
  const entries = await store.db
    .selectFrom('activity')
    .select('status')
    .where('change_id', '=', row?.id ?? 0)
    .execute()
  const sent = await store.db.selectFrom('parcels').select('id').where('label', '=', 'sent').execute()
  const chain = await verifyActivity(store, new AbortController().signal)
  await trials.executor.close()
  await store.close()
  assert.equal(chain.ok, true)
  assert.deepEqual(readdirSync(`${directory}/var/clocks`), [])
  assert.deepEqual(
    entries.map(({ status }) => status),
    row ? [row.outcome] : [],
  )
  return { outcome: row?.outcome, rows: sent.length, files: fileState(directory) }
}

const ended = (outcome: 'restored' | 'cancelled') => ({ outcome, rows: 0, files: former })
const confirmed = { outcome: 'ok', rows: 1, files: wanted }

describe('a panel that is killed within a provisional change', { timeout: 300_000 }, () => {
  it('before it was stored has only a clock to forget', async () => {
    const directory = scratch('armed')
    runPanel(directory, 'armed', 60)
    assert.deepEqual(await startAgain(directory), { outcome: undefined, rows: 0, files: former })
  })

  for (const point of ['intended', 'half:a', 'after:1', 'half:c', 'before:4', 'after:4', 'acted'])
    it(`has undone it after its next start when it died at ${point}`, async () => {
      const directory = scratch(point)
      runPanel(directory, point, 60)
      assert.deepEqual(await startAgain(directory), ended('restored'))
    })

  for (const point of ['half:c', 'waiting'])
    it(`is not needed at the deadline: the clock undoes it alone after a kill at ${point}`, async () => {
      const directory = scratch(`alone-${point}`)
      runPanel(directory, point, 15) // a busy machine reaches the point before
      await until(() => readdirSync(`${directory}/var/clocks`).some((name) => name.endsWith('.done')))
      assert.deepEqual(fileState(directory), former)
      assert.deepEqual(await startAgain(directory), ended('restored'))
    })

  it('goes on waiting after its next start, under its locks, and takes the confirmation', async () => {
    const directory = scratch('waiting')
    runPanel(directory, 'waiting', 60)
    const end = await startAgain(directory, async (trials, id) => {
      await assert.rejects(trials.try(directory, 60), {
        message: /waits for its confirmation/,
        fields: { change_id: id },
      })
      assert.deepEqual(fileState(directory), wanted)
      await trials.confirm(id)
    })
    assert.deepEqual(end, confirmed)
  })

  it('takes a cancel after its next start', async () => {
    const directory = scratch('waiting-cancel')
    runPanel(directory, 'waiting', 60)
    const end = await startAgain(directory, (trials, id) => trials.cancel(id))
    assert.deepEqual(end, ended('cancelled'))
  })

  it('undoes it at its next start if its clock was killed too', async () => {
    const directory = scratch('without-clock')
    runPanel(directory, 'waiting', 60)
    const [name = ''] = await realClocks(`${directory}/var/clocks`).names()
    await openStepPrograms().end(`clock:${directory}/var/clocks/${name}`)
    assert.deepEqual(await startAgain(directory), ended('restored'))
  })

  for (const [mode, point, end] of [
    ['confirm', 'confirmed', confirmed],
    ['confirm', 'ended', confirmed],
    ['cancel', 'cancelled', ended('cancelled')],
    ['cancel', 'undone:c', ended('cancelled')],
    ['cancel', 'ended', ended('cancelled')],
  ] as const)
    it(`ends it as decided when it died at ${point} of its ${mode}`, async () => {
      const directory = scratch(`${mode}-${point}`)
      runPanel(directory, point, 60, mode)
      assert.deepEqual(await startAgain(directory), end)
    })

  it('ends it once when the recovery was killed as well', async () => {
    const directory = scratch('recovery')
    runPanel(directory, 'half:d', 60)
    runPanel(directory, 'undone:b', 60, 'recover')
    assert.deepEqual(await startAgain(directory), ended('restored'))
  })
})
