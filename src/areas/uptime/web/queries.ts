import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { uptime } from './api.ts'

/** GET /uptime/monitors, polled while the page is visible. */
export const useMonitors = () =>
  useQuery({
    queryKey: ['uptime', 'monitors'],
    queryFn: ({ signal }) => run(uptime.listMonitors(), signal),
    refetchInterval: 5000,
  })

/** GET /uptime/status, polled while the page is visible. */
export const useUptimeStatus = () =>
  useQuery({
    queryKey: ['uptime', 'status'],
    queryFn: ({ signal }) => run(uptime.readStatus(), signal),
    refetchInterval: 5000,
  })

/** GET /uptime/monitors/{id}/history, polled while it is shown. */
export const useHistory = (id: number) =>
  useQuery({
    queryKey: ['uptime', 'history', id],
    queryFn: ({ signal }) => run(uptime.listHistory({ params: { id }, query: { limit: 1000 } }), signal),
    refetchInterval: 5000,
  })

/** GET /uptime/monitors/{id}/statistics */
export const useStatistics = (id: number) =>
  useQuery({
    queryKey: ['uptime', 'statistics', id],
    queryFn: ({ signal }) => run(uptime.readStatistics({ params: { id } }), signal),
    refetchInterval: 10_000,
  })

/** GET /uptime/monitors/{id}/availability */
export const useAvailability = (id: number) =>
  useQuery({
    queryKey: ['uptime', 'availability', id],
    queryFn: ({ signal }) => run(uptime.readAvailability({ params: { id } }), signal),
  })

/** GET /uptime/monitors/{id}/response-times */
export const useResponseTimes = (id: number, hours: number) =>
  useQuery({
    queryKey: ['uptime', 'response-times', id, hours],
    queryFn: ({ signal }) => run(uptime.readResponseTimes({ params: { id }, query: { hours } }), signal),
    placeholderData: (former) => former,
    refetchInterval: 60_000,
  })

const mostSparklines = 100

/** GET /uptime/sparklines of the first monitors. */
export const useSparklines = (monitors: readonly number[]) => {
  const ids = monitors.slice(0, mostSparklines).join(',')
  return useQuery({
    queryKey: ['uptime', 'sparklines', ids],
    enabled: ids !== '',
    queryFn: ({ signal }) => run(uptime.readSparklines({ query: { ids } }), signal),
    placeholderData: (former) => former,
    refetchInterval: 60_000,
  })
}

/** GET /uptime/maintenance, polled while the page is visible. */
export const useMaintenance = () =>
  useQuery({
    queryKey: ['uptime', 'maintenance'],
    queryFn: ({ signal }) => run(uptime.listMaintenance(), signal),
    refetchInterval: 30_000,
  })

/** GET /uptime/status-page */
export const useStatusPage = () =>
  useQuery({
    queryKey: ['uptime', 'status-page'],
    queryFn: ({ signal }) => run(uptime.readStatusPage(), signal),
  })

/** POST /uptime/monitors/{id}/check */
export const useCheck = () =>
  useMutation({
    mutationFn: (id: number) => run(uptime.checkMonitor({ params: { id } })),
    onSettled: () => readAgain('uptime'),
  })

/** POST /uptime/monitors/{id}/toggle */
export const useToggle = () =>
  useMutation({
    mutationFn: (id: number) => run(uptime.toggleMonitor({ params: { id } })),
    onSettled: () => readAgain('uptime'),
  })
