/** The times of the panel's connection, and who is told of it. */
export interface LinkOptions {
  /** How long queries wait for the next connection, counted from the loss of the former one. */
  readonly patienceMs: number
  /** How long a start waits for the server. */
  readonly startMs: number
  /** Called once for each cause for which a start has to wait for the server. */
  readonly onWaiting: (cause: unknown) => void
  /** The time between two attempts to connect. */
  readonly retryMs: number
  /** The time without an answer after which the server is asked whether it still works on the query. */
  readonly silentMs: number
  /** How long a start waits for the lock of another panel. */
  readonly lockMs: number
  /** Called if the database is not as the panel left it when the connection was lost. */
  readonly onOvertaken: (error: Error) => void
}
