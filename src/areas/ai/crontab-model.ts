import Type, { type Static } from 'typebox'

export const CronJobs = Type.Array(
  Type.Object({
    schedule: Type.String({
      maxLength: 500,
      description: 'Five fields, or a name such as @daily',
      expects: 'a schedule of cron',
    }),
    command: Type.String({ maxLength: 1000, description: 'Command', expects: 'a command on one line' }),
  }),
  {
    maxItems: 1000,
    description: 'Jobs of the account of the assistant',
    expects: 'a list of at most 1000 jobs',
  },
)
export type CronJobs = Static<typeof CronJobs>

/** Optional, as the contract names no field; an absent list is refused all the same. */
export const CrontabDraft = Type.Object({ jobs: Type.Optional(CronJobs) })
