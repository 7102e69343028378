import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { logstore } from './api.ts'
import { type Asked, choiceOf } from './asked.ts'

/** GET /logstore/status, polled while the page is visible. */
export const useLogstoreStatus = () =>
  useQuery({
    queryKey: ['logstore', 'status'],
    queryFn: ({ signal }) => run(logstore.readLogstoreStatus(), signal),
    refetchInterval: 10_000,
  })

/** POST /logstore/search */
export const useLines = (asked: Asked) =>
  useQuery({
    queryKey: ['logstore', 'search', asked],
    queryFn: ({ signal }) =>
      run(logstore.searchLogs({ body: { ...choiceOf(asked), limit: 100, from: asked.from } }), signal),
    placeholderData: (former) => former,
    refetchOnWindowFocus: false, // each search is an entry of the activity
  })

/** POST /logstore/histogram */
export const useGroups = ({ from: _from, ...asked }: Asked) =>
  useQuery({
    queryKey: ['logstore', 'histogram', asked],
    queryFn: ({ signal }) => run(logstore.groupLogs({ body: choiceOf(asked) }), signal),
    placeholderData: (former) => former,
    refetchOnWindowFocus: false,
  })

/** GET /logstore/saved-searches */
export const useSavedSearches = () =>
  useQuery({
    queryKey: ['logstore', 'saved-searches'],
    queryFn: ({ signal }) => run(logstore.listSavedSearches(), signal),
  })

/** GET /logstore/exports */
export const useExports = () =>
  useQuery({
    queryKey: ['logstore', 'exports'],
    queryFn: ({ signal }) => run(logstore.listLogExports(), signal),
  })

/** GET /logstore/sources */
export const useSources = () =>
  useQuery({
    queryKey: ['logstore', 'sources'],
    queryFn: ({ signal }) => run(logstore.listLogSources(), signal),
  })

/** GET /logstore/stats */
export const useStats = () =>
  useQuery({
    queryKey: ['logstore', 'stats'],
    queryFn: ({ signal }) => run(logstore.readLogstoreStats(), signal),
  })

/** GET /logstore/retention */
export const useRetention = () =>
  useQuery({
    queryKey: ['logstore', 'retention'],
    queryFn: ({ signal }) => run(logstore.readLogRetention(), signal),
  })
