import { failures } from '../../../core/endpoint.ts'
import { data } from '../../../core/reply.ts'
import { QueryRefused, ReplyUnreadable } from '../../../tools/opensearch/index.ts'
import { endpoint } from '../context.ts'
import { ofBackend } from '../failures.ts'
import { LogChoice, LogHistogram, LogHits, LogSearch, PreservedCount } from '../model.ts'
import { SearchInvalid } from '../problems.ts'
import { countPreserved } from '../retention.ts'
import * as search from '../search.ts'

const refused = { bad_request: [SearchInvalid, QueryRefused], parse_error: ReplyUnreadable }

export const searchLogs = endpoint({
  method: 'POST',
  path: '/search',
  summary: 'Find log lines, the newest first',
  effect: 'probes',
  body: LogSearch,
  reply: data(LogHits),
  throws: failures(ofBackend, refused),
  run: ({ logstore, body }) => search.searchLogs(logstore, body),
})

export const groupLogs = endpoint({
  method: 'POST',
  path: '/histogram',
  summary: 'Count the log lines of a search by time, and by the most frequent values of their fields',
  effect: 'probes',
  body: LogChoice,
  reply: data(LogHistogram),
  throws: failures(ofBackend, { bad_request: QueryRefused, parse_error: ReplyUnreadable }),
  run: ({ logstore, body }) => search.groupLogs(logstore, body),
})

export const countPreservedLogs = endpoint({
  method: 'GET',
  path: '/preserved-count',
  summary: 'Count the lines that saved searches preserve; 0 while the backend cannot be reached',
  effect: 'reads',
  reply: data(PreservedCount),
  run: ({ logstore }) => countPreserved(logstore),
})
