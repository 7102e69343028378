import { data, events } from '../../../core/reply.ts'
import { SearchEvent, SearchQuery, SearchResult } from '../model.ts'
import * as search from '../search.ts'
import { hourMs, readingFiles } from './target.ts'

const description = 'Links are not followed, binary files are passed over, and the trash is left out.'

export const searchFiles = readingFiles({
  method: 'GET',
  path: '/search',
  summary: 'Find files by name, or lines by content',
  description,
  effect: 'reads',
  query: SearchQuery,
  reply: data(SearchResult),
  timeoutMs: hourMs / 30,
  run: ({ target, query, signal }) => search.searchFiles(target, query, signal),
})

export const streamSearch = readingFiles({
  method: 'GET',
  path: '/search/stream',
  summary: 'Find files by name, or lines by content, and tell each as soon as it is found',
  description: `${description} Leaving the stream ends the search. The last event has the type end, or error.`,
  effect: 'reads',
  query: SearchQuery,
  reply: events(SearchEvent),
  run: ({ target, query, signal }) => search.streamSearch(target, query, signal),
})
