import Type from 'typebox'
import { change, type JobDraft, step } from '../../core/change.ts'
import { backupLock, safetySet } from '../sitebackups/index.ts'
import { work } from './context.ts'
import type { ClearArgs } from './steps/clear.ts'

const keptSafetyBackups = 2

const ClearInput = Type.Object({
  username: Type.String({ maxLength: 32 }),
  to: Type.String({ maxLength: 253 }),
  scratch: Type.String({ maxLength: 100 }),
  databases: Type.Array(Type.String({ maxLength: 64 }), { maxItems: 10 }),
})

/** Removes what a push has replaced. It is a job of its own, as a push may be taken back until it has settled. */
export const clearing = work({
  kind: 'staging.clear-up',
  lane: 'files',
  input: ClearInput,
  reply: Type.Object({}),
  timeoutMs: 12 * 3_600_000,
  attempts: 3,
  resumes: true,
  decide: ({ input: { databases, ...input }, staging: { steps, mariadb, backups } }) => {
    const site = { username: input.username, domain: input.to }
    return change({
      summary: `Remove what the push to ${input.to} has replaced`,
      locks: [backupLock(site)],
      steps: [
        step(backups.steps.prune, { ...site, set: safetySet, keep: keptSafetyBackups }),
        ...databases.flatMap((name) => [
          step(mariadb.steps.setAccount, { username: name, host: 'localhost', database: name, hash: null }),
          step(mariadb.steps.dropDatabase, { name }),
        ]),
        step(steps.clear, input),
      ],
      reply: {},
    })
  },
})

/** Returns the job that clears up after a push. */
export const clearUp = (
  { databases, ...args }: ClearArgs & { readonly databases: readonly string[] },
  ownerId: number,
): JobDraft => ({
  kind: clearing.kind,
  input: { ...args, databases: [...databases] },
  ownerId,
  title: `Remove what the push to ${args.to} has replaced`,
})
