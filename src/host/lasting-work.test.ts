import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '../../test/support/until.ts'
import { openParcels } from '../changes/testing/parcel.ts'
import { openLastingBench } from './testing/lasting-work.ts'

const panel = fileURLToPath(new URL('./testing/killed-lasting.ts', import.meta.url))
const outputs = "select message from job_events where type = 'output' order by seq"

/** The output that another process has stored. */
function storedOutput(dataDir: string): readonly unknown[] {
  const db = new DatabaseSync(`${dataDir}/hostreeve.db`, { readOnly: true })
  try {
    return db
      .prepare(outputs)
      .all()
      .map(({ message }) => message)
  } finally {
    db.close()
  }
}

const title = 'shows each line of a lasting program once, also after a kill of the panel'

it(title, { timeout: 300_000 }, async (t) => {
  const directory = mkdtempSync('/tmp/hostreeve-lasting-work-')
  const dataDir = `${directory}/var`
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const killed = spawn(process.execPath, [panel, dataDir, directory], { stdio: [...stdio] })
  t.after(() => {
    for (const name of ['go', 'end']) writeFileSync(`${directory}/${name}`, '') // its program ends in any case
    killed.kill('SIGKILL')
  })
  await once(killed.stdout, 'data')
  const begun = ['begun', `the password is ${'•'.repeat(8)}`, 'begun']
  await until(() => storedOutput(dataDir).length === begun.length, { everyMs: 50 })
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  const store = await openParcels(dataDir)
  const bench = openLastingBench(store)
  t.after(() => bench.close().then(() => store.close()))
  const settled = bench.recoverAndStart()
  writeFileSync(`${directory}/go`, '')
  await until(() => storedOutput(dataDir).includes('again'), { everyMs: 50 })
  writeFileSync(`${directory}/end`, '')
  assert.equal((await settled)[0]?.outcome, 'ok')
  assert.deepEqual(storedOutput(dataDir), [...begun, 'again', 'ended'])
  t.after(() => rmSync(directory, { recursive: true }))
})
