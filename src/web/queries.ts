import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './wire.ts'

/** What was read, kept for a moment; what the server refused is not asked for again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5000, retry: (count, error) => !(error instanceof ApiError && error.status < 500) && count < 2 },
    mutations: { retry: false },
  },
})

/** Reads again all that begins with one of these words, after a change. */
export function readAgain(...words: readonly string[]): Promise<void> {
  return Promise.all(words.map((word) => queryClient.invalidateQueries({ queryKey: [word] }))).then(() => undefined)
}
