import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './wire.ts'

/**
 * What was read, kept for a moment; what the server refused is not asked for again. Without a connection all fails at once and says so:
 * work that waits for the network would be carried out later, after its reader has gone away from it.
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

/** Reads again all that begins with one of these words, after a change. */
export function readAgain(...text: readonly string[]): Promise<void> {
  return Promise.all(text.map((word) => queryClient.invalidateQueries({ queryKey: [word] }))).then(
    () => undefined,
  )
}
