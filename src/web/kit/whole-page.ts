import { useMemo } from 'react'
import type { Page } from '../wire.ts'

interface Whole<Row> {
  readonly data: readonly Row[] | undefined
  readonly error: unknown
  readonly isFetching: boolean
  readonly refetch: () => unknown
}

/** Wraps a complete list as the single page that a table expects. */
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
