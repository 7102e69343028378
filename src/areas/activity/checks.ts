import Type from 'typebox'
import { checkpointNewest } from '../../changes/chain-export.ts'
import { verifyNightly } from './chain.ts'
import { job } from './context.ts'

/** Signs the newest entry once an hour, unless it is signed, so that an hour at most is without a checkpoint. */
export const signNewestEntry = job({
  kind: 'activity.sign-newest',
  input: Type.Object({}),
  timeoutMs: 60_000,
  attempts: 2,
  resumes: true,
  schedule: '13 * * * *',
  run: async ({ activity }) => ({ signed: (await checkpointNewest(activity.store, new Date())) ?? null }),
})

/** Checks the whole chain once a night, before entries are pruned. */
export const verifyEachNight = job({
  kind: 'activity.verify',
  input: Type.Object({}),
  timeoutMs: 1_800_000,
  attempts: 2,
  resumes: true,
  schedule: '11 3 * * *',
  run: async ({ activity, signal, log }) => {
    const found = await verifyNightly(activity, new Date(), signal)
    if (!found.ok) log.error({ ...found }, 'The activity log is not as this panel has written it')
    return found
  },
})
