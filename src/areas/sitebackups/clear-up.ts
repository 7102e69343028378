import Type from 'typebox'
import { change, type JobDraft, step } from '../../core/change.ts'
import { work } from './context.ts'
import { backupLock } from './locks.ts'
import { safetySet } from './sets.ts'
import type { RestoreArgs } from './steps/scratch.ts'

const keptSafetyBackups = 2

/**
 * Removes what a restore needs to be taken back: the former folder, and the older safety backups. It is a job of its own, as a
 * restore may be taken back until it has settled.
 */
export const clearing = work({
  kind: 'sitebackups.clear-up',
  lane: 'files',
  input: Type.Object({
    username: Type.String({ maxLength: 32 }),
    domain: Type.String({ maxLength: 253 }),
    scratch: Type.String({ maxLength: 100 }),
  }),
  reply: Type.Object({}),
  timeoutMs: 12 * 3_600_000,
  attempts: 3,
  resumes: true,
  decide: ({ input, backups: { steps } }) =>
    change({
      summary: `Remove what the restore of ${input.domain} replaced`,
      locks: [backupLock(input)],
      steps: [
        step(steps.prune, { ...input, set: safetySet, keep: keptSafetyBackups }),
        step(steps.clear, input),
      ],
      reply: {},
    }),
})

/** Returns the job that clears up after a restore. */
export const clearUp = ({ username, domain, scratch }: RestoreArgs, ownerId: number): JobDraft => ({
  kind: clearing.kind,
  input: { username, domain, scratch },
  ownerId,
  title: `Remove what the restore of ${domain} replaced`,
})
