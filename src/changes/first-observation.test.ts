import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { after, afterEach, beforeEach, it } from 'node:test'
import type { StepKind } from '../core/change.ts'
import { problem } from '../core/problem.ts'
import type { Store } from '../store/store.ts'
import { openExecutor } from './executor.ts'
import {
  fileState,
  files,
  fileStep,
  fiveSteps,
  layOut,
  openParcels,
  orderOf,
  quiet,
} from './testing/parcel.ts'

const directory = mkdtempSync('/tmp/hostreeve-first-observation-')
after(() => rmSync(directory, { recursive: true }))
const Refused = problem('refused', 409, 'The step refused')

let store: Store
beforeEach(async () => {
  layOut(directory)
  store = await openParcels()
})
afterEach(() => store.close())

const carryOut = (kind: StepKind<any, any, any>) =>
  openExecutor({ store, log: quiet }).execute(orderOf(async () => fiveSteps(store, directory, kind)))

it('a change is recorded with the observation of its first step, before any step acts', async () => {
  const kind = fileStep('file.write')
  const seen: string[] = []
  const look = async (call: string) => {
    const rows = await store.db.selectFrom('changes').select('state').execute()
    seen.push([call, ...rows.map(({ state }) => state)].join(' '))
  }
  await carryOut({
    ...kind,
    observe: async (args) => {
      await look('observe')
      return kind.observe(args)
    },
    act: async (args, run) => {
      await look('act')
      return kind.act(args, run)
    },
  })
  assert.deepEqual(seen, [
    'observe',
    ...files.slice(1).flatMap(() => ['act intended', 'observe intended']),
    'act intended',
  ])
})

it('a change whose first observation refuses is recorded, with its entry', async () => {
  const refusing = {
    ...fileStep('file.write'),
    observe: async () => {
      throw Refused('not now')
    },
  }
  await assert.rejects(carryOut(refusing), /not now/)
  const row = await store.db.selectFrom('changes').select(['id', 'state', 'outcome']).executeTakeFirst()
  const entry = await store.db.selectFrom('activity').select(['change_id', 'status']).executeTakeFirst()
  assert.deepEqual({ ...row }, { id: row?.id, state: 'settled', outcome: 'restored' })
  assert.deepEqual({ ...entry }, { change_id: row?.id, status: 'restored' })
  assert.deepEqual(
    fileState(directory),
    files.map(({ before }) => before),
  )
})
