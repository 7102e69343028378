import type { Static } from 'typebox'
import { BadRequest } from '../../core/problem.ts'
import type { StreamEvent } from '../../core/reply.ts'
import type { SearchMatch } from '../../host/owner/index.ts'
import type * as model from './model.ts'
import type { Files } from './named-files.ts'
import { pathOf } from './paths.ts'

type Query = Static<typeof model.SearchQuery>

/** Finds files by name, or lines by content. */
export async function searchFiles({ owner }: Files, query: Query, signal: AbortSignal) {
  const { items, isCut } = await owner.search(pathOf(query, 'path', ''), textOf(query), {
    ...optionsOf(query),
    limit: query.limit,
    signal,
  })
  return { items: [...items], is_cut: isCut }
}

/** Finds files or lines and yields each as soon as it is found. */
export async function streamSearch({ owner }: Files, query: Query, signal: AbortSignal) {
  const { limit } = query
  const found = owner.find(pathOf(query, 'path', ''), textOf(query), {
    ...optionsOf(query),
    limit: limit + 1,
    signal,
  })
  const first = await found.next() // a search that cannot start must fail with its status before the stream begins
  return eventsOf(found, first, limit)
}

async function* eventsOf(
  found: AsyncGenerator<SearchMatch>,
  first: IteratorResult<SearchMatch>,
  limit: number,
): AsyncGenerator<StreamEvent<Static<typeof model.SearchEvent>>> {
  try {
    let [next, count] = [first, 0]
    for (; !next.done && count < limit; next = await found.next(), count++)
      yield { value: { type: 'match', match: next.value } }
    yield { value: { type: 'end', found: count, is_cut: !next.done } }
  } finally {
    await found.return(undefined)
  }
}

interface Asked {
  readonly query?: string
  readonly in: 'name' | 'content'
  readonly match_case: boolean
  readonly glob: boolean
  readonly files?: string
}

function textOf({ query, in: where, glob, files }: Asked): string {
  if (query === undefined) throw BadRequest('query: is required')
  if (glob && where === 'content')
    throw BadRequest('glob: applies only to names; use files to restrict a search for content')
  if (files !== undefined && where === 'name')
    throw BadRequest(
      'files: applies only to content; in a search for names the query itself may be a pattern',
    )
  return query
}

function optionsOf({ in: where, match_case: matchCase, glob, files }: Asked) {
  return { content: where === 'content', matchCase, glob, ...(files !== undefined && { files }) }
}
