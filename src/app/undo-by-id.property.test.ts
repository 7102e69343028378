import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { openExecutor } from '../changes/executor.ts'
import { openParcels, orderOf, quiet } from '../changes/testing/parcel.ts'
import { decideUndo, undoStep } from '../changes/undo-by-id/index.ts'
import { change, type RowWrite, step, type StepKind } from '../core/change.ts'
import { openApply } from '../host/apply/index.ts'
import { ownedFiles } from '../host/apply/steps.ts'
import { toyTool } from '../host/apply/testing/toy-tool.ts'
import { openFiles } from '../host/files.ts'
import { id, revision, text } from '../store/columns.ts'
import type { Store } from '../store/store.ts'
import { table } from '../store/table.ts'

const isLong = Boolean(process.env['HOSTREEVE_LONG'])
const parcels = table('parcels', { id: id(), label: text(20), revision: revision() })
const paths = Array.from({ length: 60 }, (_, index) => `/etc/file-${index}`)

interface Edits {
  readonly edits: readonly { readonly path: string; readonly content: string | null }[]
}

const edit = fc.record({
  path: fc.constantFrom(...paths),
  content: fc.option(fc.stringMatching(/^[a-z]{1,8}\n$/)),
})
const draft = fc.record({
  edits: fc.uniqueArray(edit, { minLength: 1, maxLength: 4, selector: ({ path }) => path }),
  row: fc.record({
    id: fc.integer({ min: 1, max: 20 }),
    label: fc.stringMatching(/^[a-z]{1,8}$/),
    isDeleted: fc.boolean(),
  }),
})
type Draft = typeof draft extends fc.Arbitrary<infer Value> ? Value : never

/** Inserts the row, or updates or deletes the one that is there. */
async function writeOf(store: Store, { id: wanted, label, isDeleted }: Draft['row']): Promise<RowWrite> {
  const found = await store.db.selectFrom('parcels').selectAll().where('id', '=', wanted).executeTakeFirst()
  if (found === undefined) return parcels.insert(parcels.row({ id: wanted, label }))
  return isDeleted ? parcels.delete({ id: wanted }) : parcels.update(found, { label })
}

async function openTrial() {
  const root = mkdtempSync('/tmp/hostreeve-undo-')
  const files = openFiles(root)
  await files.makeDirectory('/etc')
  const tool = { ...toyTool(files), check: async () => undefined }
  const write = ownedFiles(
    { files, apply: openApply(files).apply },
    tool,
  )<Edits>({
    name: 'toy.write',
    title: ({ edits }) => `Write ${edits.length} files`,
    files: ({ edits }) => edits,
    overwrites: () => false,
  })
  const undoing = undoStep(() => kinds)
  const kinds = new Map<string, StepKind<any, any, any>>([write, undoing].map((kind) => [kind.name, kind]))
  const store = await openParcels()
  const executor = openExecutor({ store, log: quiet })
  return {
    make: async ({ edits, row }: Draft) => {
      const rows = [await writeOf(store, row)]
      const wanted = change({ summary: 'Write', steps: [step(write, { edits })], rows, reply: null })
      return (await executor.execute(orderOf(async () => wanted))).activityId
    },
    undo: async (entryId: number | undefined) => {
      const entries = store.db.selectFrom('activity').selectAll()
      const entry = await entries.where('id', '=', entryId ?? 0).executeTakeFirstOrThrow()
      await executor.execute(orderOf(() => decideUndo({ store, step: undoing }, entry, new Date())))
    },
    look: async () => ({
      files: await Promise.all(paths.map((path) => files.read(path))),
      rows: await store.db.selectFrom('parcels').select(['id', 'label']).orderBy('id').execute(),
    }),
    remove: () => {
      store.close()
      rmSync(root, { recursive: true })
    },
  }
}

test(
  'the undos of random changes, in reverse order, leave files and rows as each of them found them',
  { timeout: 1_200_000 },
  async () => {
    const length = isLong ? 1000 : 15
    const drafts = fc.array(draft, { minLength: length, maxLength: length })
    const holds = fc.asyncProperty(drafts, async (wanted) => {
      const trial = await openTrial()
      try {
        const made = []
        for (const each of wanted) {
          const before = await trial.look()
          made.push({ before, entryId: await trial.make(each) })
        }
        for (const { before, entryId } of made.toReversed()) {
          await trial.undo(entryId)
          assert.deepEqual(await trial.look(), before)
        }
      } finally {
        trial.remove()
      }
    })
    await fc.assert(holds, { numRuns: isLong ? 1 : 3, endOnFailure: true })
  },
)
