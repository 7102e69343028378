import { useMemo } from 'react'
import type { Page } from '../wire.ts'

interface Whole<Row> {
  readonly data: readonly Row[] | undefined
  readonly error: unknown
  readonly isFetching: boolean
  readonly refetch: () => unknown
}

/** A list that came as a whole, as the one page that a table wants. */
export function useWholePage<Row>({ data, error, isFetching, refetch }: Whole<Row>): {
  data: Page<Row> | undefined
  error: unknown
  isFetching: boolean
  refetch: () => unknown
} {
  const page = useMemo(
    () => data && { items: data, total: data.length, page: 1, per_page: Math.max(1, data.length) },
    [data],
  )
  return { data: page, error, isFetching, refetch }
}
