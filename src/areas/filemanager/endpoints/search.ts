import { BadRequest } from '../../../core/problem.ts'
import { data } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { listed } from '../failures.ts'
import { SearchQuery, SearchResult } from '../model.ts'
import { pathOf } from '../paths.ts'
import { byQuery, hourMs } from './asked.ts'

export const searchFiles = endpoint({
  method: 'GET',
  path: '/search',
  summary: 'Find files by name, or lines by content',
  description: 'Links are not followed, binary files are passed over, and the trash is left out.',
  effect: 'reads',
  query: SearchQuery,
  reply: data(SearchResult),
  throws: listed,
  timeoutMs: hourMs / 30,
  target: byQuery,
  run: async ({ target: { owner }, query: { query: text, ...query }, signal }) => {
    if (text === undefined) throw BadRequest('query: is required')
    const { items, isCut } = await owner.search(pathOf(query, 'path', ''), text, { content: query.in === 'content', limit: query.limit, signal })
    return { items, is_cut: isCut }
  },
})
