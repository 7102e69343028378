import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readAgain } from '../../../../web/queries.ts'
import { fetchPage, folderPage, type Item, rowsAPage, type Whose } from '../queries.ts'
import { arrange } from './arrange.ts'

/** How a folder is looked at. */
export interface View {
  readonly sort: string
  readonly showHidden: boolean
  readonly filter: string
}

/** A folder's rows: all of them where there are few, else those that were read so far. */
export interface Listing {
  readonly folder: string
  /** Rows after the filter. */
  readonly count: number
  readonly total: number
  /** Whether all rows are here, so that they can be filtered. */
  readonly isWhole: boolean
  readonly isPending: boolean
  readonly isFetching: boolean
  readonly error: unknown
  readonly at: (index: number) => Item | undefined
  /** An entry as it was read last; undefined where it is known to be gone. */
  readonly latest: (item: Item) => Item | undefined
  /** Rows by their positions, read where they are not here yet. */
  readonly between: (first: number, last: number) => Promise<readonly Item[]>
  readonly refetch: () => void
}

/** Folders of at most so many entries are read whole, and sorted and filtered here. */
export const wholeRows = 2000

/** Reads a folder, as much of it as the visible rows need. */
export function useListing(
  whose: Whose,
  folder: string,
  { sort, showHidden, filter }: View,
  visible: { readonly first: number; readonly last: number },
): Listing {
  const asked = (page: number, by = sort) => ({ sort: by, show_hidden: showHidden, page })
  const first = useQuery(folderPage(whose, folder, asked(1, 'name')))
  const total = first.data?.total ?? 0
  const isWhole = total <= wholeRows
  const pages = isWhole ? numbers(2, Math.ceil(total / rowsAPage)) : numbers(pageOf(visible.first), Math.min(pageOf(visible.last), pageOf(total - 1)))
  const queries = pages.map((page) => folderPage(whose, folder, asked(page, isWhole ? 'name' : sort)))
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
    () => (isWhole && !isPending ? arrange([first.data?.items ?? [], ...read.items.map((items) => items ?? [])].flat(), sort, filter) : []),
    [isWhole, isPending, first.data, read.items, sort, filter],
  )
  const at = (index: number) => (isWhole ? whole[index] : read.items[pages.indexOf(pageOf(index))]?.[index % rowsAPage])
  const byName = useMemo(
    () => new Map((isWhole ? whole : read.items.flatMap((items) => items ?? [])).map((item) => [item.name, item])),
    [isWhole, whole, read.items],
  )
  const latest = (item: Item) => byName.get(item.name) ?? (isWhole && !isPending ? undefined : item)
  const between = async (from: number, to: number) => {
    if (isWhole) return whole.slice(from, to + 1)
    const parts = await Promise.all(numbers(pageOf(from), pageOf(to)).map((page) => fetchPage(whose, folder, asked(page))))
    return parts.flatMap(({ items }) => items).slice(from % rowsAPage, (from % rowsAPage) + to - from + 1)
  }
  return {
    folder,
    count: isWhole ? whole.length : total,
    total,
    isWhole,
    isPending,
    isFetching: first.isFetching || read.isFetching,
    error: first.error ?? read.error ?? undefined,
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
