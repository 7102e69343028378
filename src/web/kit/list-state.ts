import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'

/** The parameters of a list request and the functions that change them. */
export interface ListState {
  readonly page: number
  readonly perPage: number
  readonly sort: string
  readonly search: string
  readonly setPage: (page: number) => void
  readonly setPerPage: (perPage: number) => void
  readonly setSort: (sort: string) => void
  readonly setSearch: (search: string) => void
  /** As query parameters; the search is debounced. */
  readonly asked: {
    readonly page: number
    readonly per_page: number
    readonly sort: string
    readonly search?: string
  }
}

/** Keeps page, sort order and search of one list. */
export function useListState(firstSort: string): ListState {
  const [page, setPage] = useState(1)
  const [perPage, setPerPage] = useState(25)
  const [sort, setSort] = useState(firstSort)
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search, 250)
  const fromTheStart =
    <Value>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value)
      setPage(1)
    }
  return {
    page,
    perPage,
    sort,
    search,
    setPage,
    setPerPage: fromTheStart(setPerPage),
    setSort: fromTheStart(setSort),
    setSearch: fromTheStart(setSearch),
    asked: { page, per_page: perPage, sort, ...(settled && { search: settled }) },
  }
}
