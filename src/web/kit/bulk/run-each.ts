/** The state of one row of a bulk action. */
export type RowState = 'waiting' | 'running' | 'done' | { readonly failed: unknown }

/**
 * Makes a change for one row after the other, reporting each state. A failed row does not stop the others; the signal
 * leaves those that have not begun waiting.
 */
export async function runEach<Row>(
  rows: readonly Row[],
  change: (row: Row) => Promise<unknown>,
  onState: (row: Row, state: RowState) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const row of rows) {
    if (signal.aborted) return
    onState(row, 'running')
    try {
      await change(row)
      onState(row, 'done')
    } catch (error) {
      onState(row, { failed: error })
    }
  }
}
