import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import { replicationServers } from './api.ts'

const area = 'replication-servers'
const everyMs = 5000

/** GET /replication-servers, polled for what waits. */
export const useServers = () =>
  useQuery({
    queryKey: [area, 'servers'],
    queryFn: ({ signal }) => run(replicationServers.listServers(), signal),
    refetchInterval: everyMs,
  })

/** GET /replication-servers/{id} */
export const useServer = (id: number) =>
  useQuery({
    queryKey: [area, 'server', id],
    queryFn: ({ signal }) => run(replicationServers.readServer({ params: { id } }), signal),
    refetchInterval: everyMs,
  })

/** GET /replication-servers/{id}/categories */
export const useCategories = (id: number) =>
  useQuery({
    queryKey: [area, 'categories', id],
    queryFn: ({ signal }) => run(replicationServers.listCategories({ params: { id } }), signal),
  })

/** GET /replication-servers/{id}/action-log */
export const useActions = (id: number, status: string) =>
  useQuery({
    queryKey: [area, 'actions', id, status],
    queryFn: ({ signal }) =>
      run(replicationServers.listActions({ params: { id }, query: { limit: 100, status } }), signal),
    refetchInterval: everyMs,
  })

/** POST /replication-servers/{id}/test */
export const useServerTest = () =>
  useMutation({
    mutationFn: ({ id }: { readonly id: number; readonly name: string }) =>
      run(replicationServers.testServer({ params: { id } })),
    onSuccess: ({ status, message, public_key }, { name }) =>
      status === 'active'
        ? notify(`${name} can be reached. Its public key is ${public_key}.`)
        : notify(`${name}: ${message}`, true),
    onError: (error) => notify(textOf(error), true),
    onSettled: () => readAgain(area),
  })

/** PATCH /replication-servers/{id}/categories/{category} */
export const useCategorySwitch = (id: number) =>
  useMutation({
    mutationFn: ({ category, enabled }: { readonly category: string; readonly enabled: boolean }) =>
      run(replicationServers.setCategory({ params: { id, category }, body: { enabled } })),
    onError: (error) => notify(textOf(error), true),
    onSettled: () => readAgain(area),
  })

/** POST /replication-servers/{id}/toggle */
export const useToggle = () =>
  useMutation({
    mutationFn: ({ id, enabled }: { readonly id: number; readonly enabled: boolean }) =>
      run(replicationServers.toggleServer({ params: { id }, body: { enabled } })),
    onError: (error) => notify(textOf(error), true),
    onSettled: () => readAgain(area),
  })

/** Closes a dialog, says what was done, and reads the servers again. */
export async function done(close: () => void, message: string, isFailure = false): Promise<void> {
  close()
  notify(message, isFailure)
  await readAgain(area)
}
