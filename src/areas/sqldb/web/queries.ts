import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import type { MonitorStats } from '../model.ts'
import { sqldb } from './api.ts'

const liveMs = 5000
const keptMs = 5 * 60_000

/** GET /sqldb/status */
export const useStatus = () =>
  useQuery({
    queryKey: ['sqldb', 'status'],
    queryFn: ({ signal }) => run(sqldb.readStatus(), signal),
    refetchInterval: liveMs,
  })

/** The figures of a time, in milliseconds since 1970. */
export interface Sample extends MonitorStats {
  readonly at: number
}

let samples: readonly Sample[] = []

/** GET /sqldb/monitor-stats every few seconds while the page is visible; returns the samples of the last minutes. */
export const useSamples = () =>
  useQuery({
    queryKey: ['sqldb-samples'],
    queryFn: async ({ signal }) => {
      const now = { ...(await run(sqldb.readStatistics(), signal)), at: Date.now() }
      samples = [...samples.filter(({ at }) => at > now.at - keptMs), now]
      return samples
    },
    refetchInterval: liveMs,
    staleTime: 0,
    structuralSharing: false,
  })

/** GET /sqldb/processes, polled while the page is visible. */
export const useProcesses = () =>
  useQuery({
    queryKey: ['sqldb', 'processes'],
    queryFn: async ({ signal }) => (await run(sqldb.listProcesses(), signal)).processes,
    refetchInterval: liveMs,
  })

/** GET /sqldb/slow-log */
export const useSlowLog = () =>
  useQuery({
    queryKey: ['sqldb', 'slow-log'],
    queryFn: ({ signal }) => run(sqldb.readSlowLog({ query: { limit: 200 } }), signal),
  })

/** GET /sqldb/tuner */
export const useTuner = () =>
  useQuery({ queryKey: ['sqldb', 'tuner'], queryFn: ({ signal }) => run(sqldb.readTuner(), signal) })

/** GET /sqldb/tuner with the report of mysqltuner, which takes some seconds. */
export const useMysqltuner = (isInstalled: boolean) =>
  useQuery({
    queryKey: ['sqldb', 'mysqltuner'],
    queryFn: async ({ signal }) =>
      (await run(sqldb.readTuner({ query: { mysqltuner: true } }), signal)).mysqltuner,
    enabled: isInstalled,
    staleTime: Infinity,
  })

/** GET /settings/sqldb */
export const useSettings = () =>
  useQuery({ queryKey: ['sqldb', 'settings'], queryFn: ({ signal }) => run(sqldb.readSettings(), signal) })
