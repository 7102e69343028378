import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { scheduleNamed } from '../../jobs/schedules.ts'
import { overStates } from '../../jobs/tables.ts'
import { updateRow } from '../../store/rows.ts'
import { openBench } from './testing/bench.ts'

const kind = 'mailbox-backup.run'

/** Has the schedule be due, and returns how its job ended; `earlier` jobs are left out. */
async function dueRun({ store }: TestPanel, earlier = 0) {
  const { id = 0 } = (await scheduleNamed(store, kind)) ?? {}
  await store.transaction((tx) =>
    store.write(tx, [updateRow('schedules', { id }, { next_run: '2026-01-01T00:00:00.000Z' })]),
  )
  return until(async () => {
    const jobs = store.db.selectFrom('jobs').selectAll().where('kind', '=', kind).orderBy('id')
    const found = (await jobs.execute())[earlier]
    return found !== undefined && overStates.has(found.state) && found
  })
}

describe('scheduled backups of mailboxes', () => {
  test('are refused while the plugin is off, and run again once it is on', async (t) => {
    const bench = await openBench()
    t.after(() => bench.close())
    const { panel, graph } = bench
    graph.mail.addMessage(graph.mail.addUser('adele@example.com').folders[0]!, 'one')
    await bench.configure()
    const switched = async (verb: 'enable' | 'disable') => {
      const path = `/api/plugins/mailbox-backup/${verb}`
      assert.equal((await panel.request('POST', path, { as: panel.admin })).status, 200)
      const isOn = verb === 'enable'
      await until(() => panel.gates.switches.isPluginEnabled('mailbox-backup') === isOn)
    }
    await switched('disable')
    const refused = await dueRun(panel)
    assert.deepEqual(
      [refused.state, /The plugin mailbox-backup is disabled/.test(refused.message)],
      ['failed', true],
    )
    assert.deepEqual(graph.requests, [])
    await switched('enable')
    assert.equal((await dueRun(panel, 1)).state, 'succeeded')
  })

  test('are refused once the feature is no longer licensed', async (t) => {
    const dataDir = mkdtempSync(`${tmpdir()}/licence-data-`)
    const root = mkdtempSync(`${tmpdir()}/licence-root-`)
    t.after(() => [dataDir, root].forEach((folder) => rmSync(folder, { recursive: true, force: true })))
    const bench = await openBench({ dataDir, root })
    bench.graph.mail.addUser('adele@example.com')
    await bench.configure()
    await bench.panel.close()
    const environment = { HOSTREEVE_FEATURES: 'other', HOSTREEVE_GRAPH_URL: bench.graph.url }
    const panel = await openTestPanel({ dataDir, root, environment })
    await panel.start()
    const { state, message } = await dueRun(panel)
    await panel.close()
    await Promise.all([bench.graph.close(), bench.bucket.close()])
    assert.deepEqual([state, /mailbox_backup is not licensed/.test(message)], ['failed', true])
    assert.deepEqual(bench.graph.requests, [])
  })
})
