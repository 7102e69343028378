import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { read, type Query } from '../../../web/client.ts'
import type { Entry as EntrySchema, EntryPage, Verification } from '../model.ts'

export type Entry = Static<typeof EntrySchema>

/** GET /activity, or GET /activity/mine: newest first, page after page. */
export const useActivity = (whose: 'all' | 'mine', filter: Query) =>
  useInfiniteQuery({
    queryKey: ['activity', whose, filter],
    queryFn: ({ pageParam, signal }) =>
      read<Static<typeof EntryPage>>(
        whose === 'all' ? '/activity' : '/activity/mine',
        { ...filter, cursor: pageParam, limit: 50 },
        signal,
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })

/** GET /activity/verify */
export const useVerification = () =>
  useMutation({ mutationFn: () => read<Static<typeof Verification>>('/activity/verify') })
