import { failures } from '../../../core/endpoint.ts'
import { data, events } from '../../../core/reply.ts'
import { QueryRefused, ReplyUnreadable } from '../../../tools/opensearch/index.ts'
import { endpoint } from '../context.ts'
import { ofBackend } from '../failures.ts'
import { LogChoice, LogHistogram, LogHits, LogSearch, PreservedCount } from '../model.ts'
import { SearchInvalid } from '../problems.ts'
import { countPreserved } from '../retention.ts'
import * as search from '../search.ts'
import { LogTailLine, LogTailQuery } from '../sent-model.ts'
import { tailLogs } from '../tail.ts'

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

export const followLogs = endpoint({
  method: 'GET',
  path: '/tail',
  summary: 'Follow the log lines of a search as they arrive',
  description:
    'Lines are sent about three seconds after they arrived; of more than 200 within a second, the newest, with the number of those left out in `left_out`. Lines that waited on the disk while OpenSearch was away are found by a search alone. The stream ends after an hour. Last-Event-ID goes on after an event, for up to five minutes.',
  effect: 'reads',
  query: LogTailQuery,
  reply: events(LogTailLine),
  throws: failures(ofBackend, { bad_request: QueryRefused, parse_error: ReplyUnreadable }),
  run: ({ logstore, query, lastEventId, signal }) =>
    tailLogs(logstore, query, { afterMs: lastEventId, signal }),
})

export const countPreservedLogs = endpoint({
  method: 'GET',
  path: '/preserved-count',
  summary: 'Count the lines that saved searches preserve; 0 while the backend cannot be reached',
  effect: 'reads',
  reply: data(PreservedCount),
  run: ({ logstore }) => countPreserved(logstore),
})
