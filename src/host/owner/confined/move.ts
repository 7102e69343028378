import { rename, rm } from 'node:fs/promises'
import { about, failureOf, type MoveCall } from './calls.ts'
import { copyInto } from './copy.ts'
import { local } from './paths.ts'
import { placeFor } from './place.ts'
import type { CallRun } from './session.ts'

/** Renames; where the new place is on another file system it is copied there as a whole, and then removed here. */
export async function movePath(call: MoveCall, run: CallRun): Promise<void> {
  const { from, to } = await placeFor(call)
  try {
    await rename(local(from), local(to))
  } catch (error) {
    if (failureOf(error).code !== 'EXDEV') return about(to)(error)
    await copyInto(from, to, run)
    await rm(local(from), { recursive: true }).catch(about(from))
  }
}
