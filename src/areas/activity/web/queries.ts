import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Query } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { queryClient } from '../../../web/queries.ts'
import type { Chain, Entry as EntrySchema } from '../model.ts'
import { activity } from './api.ts'

export type Entry = Static<typeof EntrySchema>
export type LastVerification = Static<typeof Chain>['last_verification']

/** GET /activity, or GET /activity/mine: newest first, page after page. */
export const useActivity = (whose: 'all' | 'mine', filter: Query) =>
  useInfiniteQuery({
    queryKey: ['activity', whose, filter],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, cursor: pageParam, limit: 50 }
      const call = whose === 'all' ? activity.listActivity({ query }) : activity.listOwnActivity({ query })
      return run(call, signal)
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })

/** GET /activity/{id} */
export const useEntry = (id: number) =>
  useQuery({
    queryKey: ['activity', 'entry', id],
    queryFn: ({ signal }) => run(activity.readEntry({ params: { id } }), signal),
  })

/** GET /activity/actions */
export const useActions = () =>
  useQuery({
    queryKey: ['activity', 'actions'],
    queryFn: ({ signal }) => run(activity.listActions(), signal),
    staleTime: Infinity,
  })

const chainKey = ['activity', 'chain']

/** GET /activity/chain */
export const useChain = () =>
  useQuery({ queryKey: chainKey, queryFn: ({ signal }) => run(activity.showChain(), signal) })

/** GET /activity/verify */
export const useVerification = () =>
  useMutation({
    mutationFn: () => run(activity.verifyActivity()),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: chainKey }),
  })
