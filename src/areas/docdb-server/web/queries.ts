import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { docdbServer } from './api.ts'

const liveMs = 5000

/** GET /docdb-server/status, polled while the page is visible. */
export const useDocdbStatus = () =>
  useQuery({
    queryKey: ['docdb-server', 'status'],
    queryFn: ({ signal }) => run(docdbServer.readStatus(), signal),
    refetchInterval: liveMs,
  })

/** GET /docdb-server/backups */
export const useDocdbBackups = () =>
  useQuery({
    queryKey: ['docdb-server', 'backups'],
    queryFn: async ({ signal }) => (await run(docdbServer.listBackups(), signal)).backups,
  })

/** GET /docdb-server/users */
export const useDocdbUsers = () =>
  useQuery({
    queryKey: ['docdb-server', 'users'],
    queryFn: ({ signal }) => run(docdbServer.listUsers(), signal),
  })
