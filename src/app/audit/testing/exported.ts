import { exportChain } from '../../../changes/chain-export.ts'
import { appendActivity } from '../../../changes/activity.ts'
import { entry } from '../../../changes/testing/parcel.ts'
import type { Store } from '../../../store/store.ts'
import { linesIn } from '../lines.ts'
import { type Trust, verifyExport } from '../verify-export.ts'

export const exportedAt = new Date('2026-06-01T12:00:00.000Z')

/** Appends entries in one transaction. */
export async function append(store: Store, count: number, more: object = {}): Promise<void> {
  const outcome = { status: 'ok', duration_ms: 3, created_at: '2026-01-01T00:00:00.000Z' } as const
  await store.transaction(async (tx) => {
    for (let index = 0; index < count; index++) {
      const row = { ...entry, ...outcome, message: `entry ${index} “é”`, change_id: index, ...more }
      await appendActivity(store, tx, row)
    }
  })
}

/** Returns the lines of an export. */
export async function exported(store: Store, now = exportedAt): Promise<string[]> {
  const parts: string[] = []
  for await (const part of exportChain(store, now, new AbortController().signal)) parts.push(part)
  return parts.join('').trimEnd().split('\n')
}

/** Checks lines as a file of them would be. */
export const verifyLines = (lines: readonly string[], trust: Trust = {}, now?: Date) =>
  verifyBytes(Buffer.from(`${lines.join('\n')}\n`), trust, now)

export const verifyBytes = (bytes: Buffer, trust: Trust = {}, now = new Date()) =>
  verifyExport(linesIn(chunksOf(bytes)), trust, now)

/** In chunks that end anywhere. */
async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += 1000) yield bytes.subarray(from, from + 1000)
}
