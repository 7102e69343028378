import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import { scratchRoot } from '../../../test/support/step-suite.ts'
import { openHost } from '../../host/index.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { emptyLargeErrors, queuedBytes, removeSpooled, spooledSources } from './spool.ts'

function openSpool(t: TestContext) {
  const root = scratchRoot(t)
  const folder = `${root}/var/spool/rsyslog`
  mkdirSync(folder, { recursive: true })
  const names = ['source-1.00000001', 'source-1-copy.qi', 'source-1.errors', 'source-12.qi', 'remote.qi']
  for (const name of names) writeFileSync(`${folder}/hostreeve-${name}`, 'x'.repeat(10))
  const emptied: string[] = []
  const { run } = scriptedRun((argv) => {
    if (argv[0] !== 'truncate') return undefined
    emptied.push(argv.at(-1) ?? '')
    return {}
  })
  return { folder, emptied, host: openHost({ root, run }) }
}

test('the spool tells which sources have lines in it, and how many bytes wait', async (t) => {
  const { host } = openSpool(t)
  assert.deepEqual([...(await spooledSources(host))], [1, 12])
  assert.equal(await queuedBytes(host), 30)
})

test('the files of a source are removed, and none of another or of remote logging', async (t) => {
  const { host, folder } = openSpool(t)
  await removeSpooled(host, 1)
  assert.deepEqual(readdirSync(folder).toSorted(), ['hostreeve-remote.qi', 'hostreeve-source-12.qi'])
})

test('a file of refused lines is emptied when it is larger than 64 MiB', async (t) => {
  const { host, folder, emptied } = openSpool(t)
  await emptyLargeErrors(host)
  assert.deepEqual(emptied, [])
  truncateSync(`${folder}/hostreeve-source-1.errors`, 65 * 1024 * 1024)
  await emptyLargeErrors(host)
  assert.deepEqual(emptied, [`${folder}/hostreeve-source-1.errors`])
})
