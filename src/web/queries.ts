import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './wire.ts'

/**
 * The query cache; requests that the server rejected are not retried. Offline requests fail at once: a change
 * that waited for the network would run later, when its author no longer expects it.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (count, error) =>
        !(error instanceof ApiError && error.status < 500) && navigator.onLine && count < 2,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Invalidates all queries whose key starts with one of these names, after a change. */
export function readAgain(...text: readonly string[]): Promise<void> {
  return Promise.all(text.map((word) => queryClient.invalidateQueries({ queryKey: [word] }))).then(
    () => undefined,
  )
}
