import { onlineManager, QueryClient } from '@tanstack/react-query'
import { connection, onConnection } from './connection.ts'
import { onSession, session } from './session.ts'
import { ApiError } from './wire.ts'

/**
 * The query cache; requests that the server rejected are not retried. Queries wait while the connection is lost
 * (followSession), but a change fails at once: it would run later, when its author no longer expects it.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      refetchOnReconnect: false, // readAllAgain does it
      retry: (count, error) => count < mostRetries(error),
      retryDelay: (count, error) =>
        (error instanceof ApiError && error.status >= 500 ? 1000 : 250) * 2 ** count,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** The retry after a lost connection or an ended session waits for its end. */
function mostRetries(error: unknown): number {
  if (error instanceof TypeError) return 5
  if (!(error instanceof ApiError)) return 0
  if (error.status === 401) return session().state === 'ended' ? 5 : 0
  return error.status >= 500 ? 2 : 0
}

/** Invalidates all queries whose key starts with one of these names, after a change. */
export function readAgain(...text: readonly string[]): Promise<void> {
  return Promise.all(text.map((word) => queryClient.invalidateQueries({ queryKey: [word] }))).then(
    () => undefined,
  )
}

/** Marks a query whose answer is being edited: reading it again by itself would lose an unsaved text. */
export const isEdited = { isEdited: true }

function readAllAgain(): void {
  void queryClient.invalidateQueries({
    predicate: ({ state, meta }) => state.data === undefined || meta?.['isEdited'] !== true,
  })
}

/**
 * Pauses queries while the panel cannot be reached or the session has ended, so that a page keeps what it shows,
 * and reads everything again after that. Forgets everything when another user signs in.
 */
export function followSession(): void {
  onlineManager.setEventListener((setOnline) => {
    const note = () => setOnline(!connection().isLost && session().state !== 'ended')
    const stopListening = [onConnection(note), onSession(note)]
    return () => stopListening.forEach((stop) => stop())
  })
  let before = session()
  onSession(() => {
    const { state, userId } = session()
    if (state === 'in' && before.state === 'ended' && userId === before.userId) readAllAgain()
    else if (state === 'out' || (state === 'in' && userId !== before.userId)) queryClient.clear()
    before = session()
  })
  onConnection(() => {
    if (!connection().isLost) readAllAgain()
  })
}
