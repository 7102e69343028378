import { BadRequest } from '../../../core/problem.ts'
import type { Static } from 'typebox'
import { data, events, type StreamEvent } from '../../../core/reply.ts'
import type { SearchMatch } from '../../../host/owner/index.ts'
import { endpoint } from '../context.ts'
import { listed } from '../failures.ts'
import { SearchEvent, SearchQuery, SearchResult } from '../model.ts'
import { pathOf } from '../paths.ts'
import { byQuery, hourMs } from './target.ts'

const description = 'Links are not followed, binary files are passed over, and the trash is left out.'

export const searchFiles = endpoint({
  method: 'GET',
  path: '/search',
  summary: 'Find files by name, or lines by content',
  description,
  effect: 'reads',
  query: SearchQuery,
  reply: data(SearchResult),
  throws: listed,
  timeoutMs: hourMs / 30,
  target: byQuery,
  run: async ({ target: { owner }, query, signal }) => {
    const { items, isCut } = await owner.search(pathOf(query, 'path', ''), textOf(query), {
      ...optionsOf(query),
      limit: query.limit,
      signal,
    })
    return { items: [...items], is_cut: isCut }
  },
})

export const streamSearch = endpoint({
  method: 'GET',
  path: '/search/stream',
  summary: 'Find files by name, or lines by content, and tell each as soon as it is found',
  description: `${description} Leaving the stream ends the search. The last event has the type end, or error.`,
  effect: 'reads',
  query: SearchQuery,
  reply: events(SearchEvent),
  throws: listed,
  target: byQuery,
  run: async ({ target: { owner }, query, signal }) => {
    const { limit } = query
    const found = owner.find(pathOf(query, 'path', ''), textOf(query), {
      ...optionsOf(query),
      limit: limit + 1,
      signal,
    })
    const first = await found.next() // a search that cannot start must fail with its status before the stream begins
    return eventsOf(found, first, limit)
  },
})

async function* eventsOf(
  found: AsyncGenerator<SearchMatch>,
  first: IteratorResult<SearchMatch>,
  limit: number,
): AsyncGenerator<StreamEvent<Static<typeof SearchEvent>>> {
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
