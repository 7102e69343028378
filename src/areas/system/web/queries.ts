import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { queryClient } from '../../../web/queries.ts'
import type { AnswerOf } from '../../../web/sent.ts'
import type { readMetrics } from '../endpoints.ts'
import { system } from './api.ts'

export type { SystemInfo } from '../model.ts'

const metricsKey = ['metrics']

/** GET /system/info, polled every ten seconds while the page is visible. */
export const useSystemInfo = () =>
  useQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => run(system.getInfo(), signal),
    refetchInterval: 10_000,
  })

export type Metrics = AnswerOf<typeof readMetrics>
export type MetricSample = Metrics['samples'][number]

const shownSeconds = 3600

/** GET /system/metrics: the last hour at first, then what is new, every ten seconds while the page is visible. */
export const useMetrics = () =>
  useQuery({
    queryKey: metricsKey,
    queryFn: async ({ signal }) => {
      const known = queryClient.getQueryData<Metrics>(metricsKey)?.samples ?? []
      const since = known.at(-1)?.ts ?? 0
      const { samples, ...rest } = await run(system.readMetrics({ query: { since } }), signal)
      // the clock of the host may have been set back, behind what is known
      if (samples.length === 0 && since > 0) return run(system.readMetrics(), signal)
      const all = [...known, ...samples]
      const last = all.at(-1)?.ts ?? 0
      return { ...rest, samples: all.filter(({ ts }) => ts > last - shownSeconds) }
    },
    refetchInterval: 10_000,
  })
