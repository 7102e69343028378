import type { Store } from '../../../store/store.ts'
import { findingOf } from './compare.ts'
import type { DrillCheck } from './model.ts'
import { newKeyPair, signText } from './sign.ts'
import { backupDrills, drillKeys, recordingQueries } from './store.ts'

/** A drill that has ended. */
export interface EndedDrill {
  readonly website_id: number
  readonly job_id: number
  readonly username: string
  readonly domain: string
  readonly backup: string
  readonly source: 'local' | 's3'
  readonly started_at: string
  readonly ended_at: string
  readonly checks: readonly DrillCheck[]
}

/** The outcome of a drill. */
export interface DrillResult {
  readonly passed: boolean
  readonly message: string
}

const mostReportedChecks = 1000

/** Stores the report of a drill, signed; the first one generates the key. */
export async function recordDrill(store: Store, drill: EndedDrill): Promise<DrillResult> {
  const { checks, username, domain, ...columns } = drill
  const message = findingOf(checks)
  const passed = message === '' && checks.length > 0
  const { website_id, backup, source, started_at, ended_at } = columns
  const about = { version: 1, website_id, username, domain, backup, source, started_at, ended_at }
  const report = `${JSON.stringify({ ...about, passed, message, checks: checks.slice(0, mostReportedChecks) }, undefined, 2)}\n`
  const pair = newKeyPair()
  const [id, at] = [store.nextId(backupDrills.name), ended_at]
  await store.transaction(async (tx) => {
    const queries = recordingQueries(tx)
    const known = await queries.key()
    const privateKey = known === undefined ? pair.privateKey : store.unseal(known.sealed_private_key)
    const sealed = { public_key: pair.publicKey, sealed_private_key: store.seal(pair.privateKey) }
    const row = { id, ...columns, passed, message, report, signature: signText(report, privateKey) }
    await store.write(tx, [
      ...(known === undefined ? [drillKeys.insert(drillKeys.row({ id: 1, ...sealed, created_at: at }))] : []),
      backupDrills.insert(backupDrills.row(row)),
    ])
    const surplus = await queries.surplus(website_id)
    await store.write(
      tx,
      surplus.map((each) => backupDrills.delete({ id: each })),
    )
  })
  return { passed, message }
}
