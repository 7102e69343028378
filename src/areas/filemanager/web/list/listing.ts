import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readAgain } from '../../../../web/queries.ts'
import { fetchPage, folderPage, type Item, rowsAPage, type Whose } from '../queries.ts'
import { arrange } from './arrange.ts'

/** The display options of a folder. */
export interface View {
  readonly sort: string
  readonly showHidden: boolean
  readonly filter: string
}

/** The rows of a folder: all of a small one, else those loaded so far. */
export interface Listing {
  readonly folder: string
  /** The number of rows after filtering. */
  readonly count: number
  readonly total: number
  readonly isPending: boolean
  readonly isFetching: boolean
  readonly error: unknown
  readonly at: (index: number) => Item | undefined
  /** An entry as last read; undefined if it is known to be gone. */
  readonly latest: (item: Item) => Item | undefined
  /** Returns rows by position and loads those that are missing. */
  readonly between: (first: number, last: number) => Promise<readonly Item[]>
  readonly refetch: () => void
}

/** Folders up to this size are loaded, sorted and filtered here; the panel sorts and filters larger ones. */
const wholeRows = 2000
const typingMs = 250

/** Reads as much of a folder as the visible rows need. */
// oxlint-disable-next-line max-lines-per-function -- one hook over shared state
export function useListing(
  whose: Whose,
  folder: string,
  { sort, showHidden, filter }: View,
  visible: { readonly first: number; readonly last: number },
): Listing {
  const [settled] = useDebouncedValue(filter.trim(), typingMs)
  // clearing the filter takes effect at once, without the debounce
  const typed = filter.trim() === '' ? '' : settled
  const byName = (page: number) => ({ sort: 'name', show_hidden: showHidden, page })
  const wanted = (page: number) => ({
    sort,
    show_hidden: showHidden,
    page,
    folders_first: true,
    ...(typed !== '' && { search: typed }),
  })
  const first = useQuery(folderPage(whose, folder, byName(1)))
  const total = first.data?.total ?? 0
  const isWhole = total <= wholeRows
  const fitting = useQuery({
    ...folderPage(whose, folder, wanted(1)),
    enabled: !isWhole,
    placeholderData: keepPreviousData,
  })
  const count = fitting.data?.total ?? total
  const lastPage = pageOf(count - 1)
  const pages = isWhole
    ? numbers(2, Math.ceil(total / rowsAPage))
    : numbers(Math.min(pageOf(visible.first), lastPage), Math.min(pageOf(visible.last), lastPage))
  const queries = pages.map((page) => folderPage(whose, folder, isWhole ? byName(page) : wanted(page)))
  const read = useQueries({
    queries,
    combine: (results) => ({
      items: results.map(({ data }) => data?.items),
      isFetching: results.some(({ isFetching }) => isFetching),
      error: results.find(({ error }) => error)?.error,
    }),
  })
  const isPending = first.isPending || (isWhole && read.items.some((items) => items === undefined))
  const whole = useMemo(
    () =>
      isWhole && !isPending
        ? arrange([first.data?.items ?? [], ...read.items.map((items) => items ?? [])].flat(), sort, filter)
        : [],
    [isWhole, isPending, first.data, read.items, sort, filter],
  )
  const at = (index: number) =>
    isWhole ? whole[index] : read.items[pages.indexOf(pageOf(index))]?.[index % rowsAPage]
  const known = useMemo(
    () =>
      new Map(
        (isWhole ? whole : read.items.flatMap((items) => items ?? [])).map((item) => [item.name, item]),
      ),
    [isWhole, whole, read.items],
  )
  const latest = (item: Item) => known.get(item.name) ?? (isWhole && !isPending ? undefined : item)
  const between = async (from: number, to: number) => {
    if (isWhole) return whole.slice(from, to + 1)
    const parts = await Promise.all(
      numbers(pageOf(from), pageOf(to)).map((page) => fetchPage(whose, folder, wanted(page))),
    )
    return parts.flatMap(({ items }) => items).slice(from % rowsAPage, (from % rowsAPage) + to - from + 1)
  }
  return {
    folder,
    count: isWhole ? whole.length : count,
    total,
    isPending,
    isFetching: first.isFetching || fitting.isFetching || read.isFetching,
    error: first.error ?? fitting.error ?? read.error ?? undefined,
    at,
    latest,
    between,
    refetch: () => void readAgain('files'),
  }
}

const pageOf = (index: number): number => Math.floor(Math.max(0, index) / rowsAPage) + 1

function numbers(first: number, last: number): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}
