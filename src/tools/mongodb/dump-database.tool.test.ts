import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../test/support/stoppable.ts'
import { openFiles } from '../../host/files.ts'
import { asOwner, type Bench, makeBench, skip } from '../../host/owner/testing/homes.ts'
import type { Run } from '../../host/run.ts'
import { exportDatabase } from './dump-database.ts'

let bench: Bench
before(() => void (bench = makeBench()))
after(() => bench.remove())

const clear = () => asOwner(bench.alice, 'sh', '-c', `rm -rf '${bench.alice.home}'/db`)
const folder = () => `${bench.alice.home}/db`

/** A mongodump that writes its options as the archive, or fails. */
const mongodump =
  (code = 0): Run =>
  async (argv, { onOutput } = {}) => {
    await onOutput?.(Buffer.from(argv.filter((each) => !each.startsWith('--config=')).join(' ')))
    return { code, stdout: '', stderr: 'Failed: not authorized\n', isCut: false, durationMs: 0 }
  }

const exporting = (run: Run, root: string, door: Stoppable['door'] = (thing) => thing) =>
  exportDatabase({
    host: { run: door(run), files: openFiles(root) },
    port: async () => 27017,
    ownerOf: door(async () => bench.owners.of(bench.alice)),
  })

const args = { username: 'alice', database: 'ada_shop', name: 'ada_shop-1' }

proveStep<{ readonly root: string }>('mongodb.export', {
  skip,
  machine: (t) => {
    clear()
    return { root: scratchRoot(t) }
  },
  open: ({ root }, door) => exporting(mongodump(), root, door),
  look: () => (existsSync(folder()) ? readdirSync(folder()) : []),
  cases: {
    'a database': {
      args,
      wanted: ['ada_shop-1.archive.gz'],
      returns: { file: 'db/ada_shop-1.archive.gz' },
      handEdit: () => asOwner(bench.alice, 'sh', '-c', `mkdir -p db; echo mine > db/ada_shop-1.archive.gz`),
    },
  },
})

test('dumps this database alone; one that fails leaves no file', { skip }, async (t) => {
  clear()
  const root = scratchRoot(t)
  const kind = exporting(mongodump(), root)
  await kind.act(args, stepRun(await kind.observe(args)))
  const archive = readFileSync(`${folder()}/ada_shop-1.archive.gz`, 'utf8')
  assert.match(archive, /^mongodump --host=127\.0\.0\.1 --port=27017 .*--gzip --archive --db=ada_shop$/)
  const failing = exporting(mongodump(1), root)
  const again = { ...args, name: 'ada_shop-2' }
  await assert.rejects(failing.act(again, stepRun(await failing.observe(again))), {
    message: 'MongoDB: Failed: not authorized',
  })
  assert.deepEqual(readdirSync(folder()), ['ada_shop-1.archive.gz'])
})
