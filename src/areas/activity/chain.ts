import { Readable } from 'node:stream'
import { noteFound, verifyActivity } from '../../changes/activity.ts'
import { exportChain, signNewest } from '../../changes/chain-export.ts'
import { publicKeyOf } from '../../changes/chain-key.ts'
import { canonical } from '../../changes/proof.ts'
import type { Caller } from '../../core/caller.ts'
import type { Activity } from './context.ts'
import { beginExport } from './entries.ts'
import { type DatedVerification, keptVerification, keepVerification } from './verifications-store.ts'

type Checking = Pick<Activity, 'store' | 'lastCheck'>

/** Checks the whole chain; the panel remembers what was found until it ends. */
export async function verifyChain({ store, lastCheck }: Checking, now: Date, signal: AbortSignal) {
  const found = await verifyActivity(store, signal)
  lastCheck.found = { ...found, verified_at: now.toISOString() }
  return found
}

/**
 * Checks the whole chain, and stores what was found. A break is recorded for good if it is found twice: pruning
 * meanwhile may look like one.
 */
export async function verifyNightly(
  on: Checking,
  now: Date,
  signal: AbortSignal,
): Promise<DatedVerification> {
  const first = await verifyChain(on, now, signal)
  const found = first.ok ? first : await verifyChain(on, now, signal)
  if (!found.ok) await noteFound(on.store, found, now)
  const dated = { ...found, verified_at: now.toISOString() }
  await keepVerification(on.store, dated)
  return dated
}

/** Shows what somebody needs who checks an export elsewhere, and the last check. */
export async function showChain({ store, lastCheck }: Checking, now: Date) {
  const { text, pem } = publicKeyOf(store)
  return {
    public_key: text,
    public_key_pem: pem,
    checkpoint: canonical({ checkpoint: await signNewest(store, now) }),
    last_verification: await latest({ store, lastCheck }),
  }
}

async function latest({ store, lastCheck: { found } }: Checking): Promise<DatedVerification | null> {
  const kept = await keptVerification(store)
  const newer = found !== undefined && (kept === undefined || kept.verified_at < found.verified_at)
  return (newer ? found : kept) ?? null
}

/** Exports all entries, oldest first, with what proves them; one export per caller at a time. */
export function exportWithProof(
  { store, exporting }: Activity,
  { caller, now, signal }: { readonly caller: Caller; readonly now: Date; readonly signal: AbortSignal },
): Readable {
  const end = beginExport(exporting, caller.user.id)
  const lines = releasing(exportChain(store, now, signal), end)
  return Readable.from(lines).once('close', end) // a stream that was never read has not started its generator
}

/** Releases the caller's export before its end is sent, so that the next one can follow. */
async function* releasing(lines: AsyncGenerator<string>, end: () => void): AsyncGenerator<string> {
  try {
    yield* lines
  } finally {
    end()
  }
}
