import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Place, Search } from '../whose.ts'

/** What is searched for; it stands in the page's address, so that the way back from a file leads to the same results. */
export interface AskedSearch {
  readonly text: string
  readonly where: 'name' | 'content'
  /** Below the folder of the address, or else in the whole home. */
  readonly isHere: boolean
  readonly matchCase: boolean
  /** For names: the text is a pattern for the whole name. */
  readonly glob: boolean
  /** For contents: a pattern for the names of the files; empty for all. */
  readonly files: string
}

const none: AskedSearch = { text: '', where: 'name', isHere: true, matchCase: false, glob: false, files: '' }

/** The search of the page's address; without text where nothing is searched yet. */
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

/** The parameters of the address of a search. */
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

/** The query of GET /filemanager/search/stream. */
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
