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
    queryFn: ({ signal }) => run(uptime.listHistory({ params: { id } }), signal),
    refetchInterval: 5000,
  })

/** GET /uptime/monitors/{id}/statistics */
export const useStatistics = (id: number) =>
  useQuery({
    queryKey: ['uptime', 'statistics', id],
    queryFn: ({ signal }) => run(uptime.readStatistics({ params: { id } }), signal),
    refetchInterval: 10_000,
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
