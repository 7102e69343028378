import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import { sqlreplication } from './api.ts'

const liveMs = 5000

/** GET /sqldb/replication, polled while the page is visible. */
export const useReplication = () =>
  useQuery({
    queryKey: ['sqlreplication', 'state'],
    queryFn: ({ signal }) => run(sqlreplication.readReplication(), signal),
    refetchInterval: liveMs,
  })

/** GET /sqldb/replication/slaves, polled while the page is visible. */
export const useReplicas = () =>
  useQuery({
    queryKey: ['sqlreplication', 'replicas'],
    queryFn: ({ signal }) => run(sqlreplication.listReplicas(), signal),
    refetchInterval: liveMs,
  })

/** Closes a dialog, says what was done, and reads the page again. */
export function done(close: () => void, message: string): Promise<unknown> {
  close()
  notify(message)
  return readAgain('sqlreplication', 'sqldb')
}
