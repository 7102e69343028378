import type { StepKind } from '../../core/change.ts'
import { finalStep } from '../../core/steps.ts'
import { type Admin, plain } from './admin.ts'

/** The step that sets the counters of statements and servers to zero. ProxySQL does that when these tables are read. */
export const resetStatistics = (admin: Admin): StepKind<null, null, null> =>
  finalStep<null>({
    name: 'proxysql.reset-statistics',
    plan: () => ({ title: 'Set the statistics of ProxySQL to zero' }),
    why: 'the former counts are lost',
    act: async () => {
      for (const table of ['stats_mysql_query_digest_reset', 'stats_mysql_connection_pool_reset'])
        await admin.run(plain(`SELECT COUNT(*) FROM stats.${table}`))
      return null
    },
    isDone: async () => undefined,
  })
