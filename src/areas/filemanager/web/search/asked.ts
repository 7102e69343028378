import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Place, Search } from '../whose.ts'

/** The parameters of a search, kept in the URL so that going back from a file shows the same results. */
export interface AskedSearch {
  readonly text: string
  readonly where: 'name' | 'content'
  /** Searches below the folder in the URL instead of the whole home. */
  readonly isHere: boolean
  readonly matchCase: boolean
  /** In a search by name, the text is a pattern for the whole name. */
  readonly glob: boolean
  /** In a search by content, a pattern for file names; empty for all files. */
  readonly files: string
}

const none: AskedSearch = { text: '', where: 'name', isHere: true, matchCase: false, glob: false, files: '' }

/** Parses the search in the URL; its text is empty before the first search. */
export function useAskedSearch(): AskedSearch {
  const {
    q,
    in: where,
    home,
    case: matchCase,
    glob,
    files,
  }: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  return useMemo(
    () => ({
      text: String(q ?? ''),
      where: where === 'content' ? 'content' : 'name',
      isHere: !home,
      matchCase: Boolean(matchCase),
      glob: Boolean(glob),
      files: String(files ?? ''),
    }),
    [q, where, home, matchCase, glob, files],
  )
}

/** Returns the URL parameters of a search. */
export function addressOf(
  place: Place,
  { text, where, isHere, matchCase, glob, files }: AskedSearch,
): Search {
  return {
    ...place.at(place.path),
    q: text,
    ...(where !== none.where && { in: where }),
    ...(!isHere && { home: 1 }),
    ...(matchCase && { case: 1 }),
    ...(glob && where === 'name' && { glob: 1 }),
    ...(files.trim() !== '' && where === 'content' && { files: files.trim() }),
  }
}

/** Returns the query of GET /filemanager/search/stream. */
export function queryOf({
  text,
  where,
  matchCase,
  glob,
  files,
}: AskedSearch): Readonly<Record<string, string>> {
  return {
    query: text,
    in: where,
    match_case: String(matchCase),
    ...(where === 'name' && { glob: String(glob) }),
    ...(where === 'content' && files !== '' && { files }),
  }
}
