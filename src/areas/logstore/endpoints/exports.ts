import { failures, local } from '../../../core/endpoint.ts'
import { bytes, data, enqueued } from '../../../core/reply.ts'
import { QueryRefused, ReplyUnreadable } from '../../../tools/opensearch/index.ts'
import { endpoint } from '../context.ts'
import * as lineExports from '../exports.ts'
import { ofBackend } from '../failures.ts'
import { ExportMissing, TooManyExports } from '../problems.ts'
import { LogExportDraft, LogExportPath, LogExports } from '../sent-model.ts'

export const listLogExports = endpoint({
  method: 'GET',
  path: '/exports',
  summary: 'List the exported log lines that can be downloaded, the newest first',
  effect: 'reads',
  reply: data(LogExports),
  run: ({ logstore }) => lineExports.listExports(logstore),
})

export const exportLogs = endpoint({
  method: 'POST',
  path: '/exports',
  summary: 'Write the log lines of a search into a file, which can be downloaded for a day',
  description:
    'A background job, which can be cancelled, writes the lines, the oldest first, up to 1,000,000 and 1 GiB: `is_cut` of its result tells whether there were more. In CSV, a value that a spreadsheet would take for a formula begins with an apostrophe. The file is removed after a day.',
  effect: 'changes',
  category: local('each host has its own log lines'),
  body: LogExportDraft,
  reply: enqueued,
  throws: failures(ofBackend, {
    bad_request: QueryRefused,
    parse_error: ReplyUnreadable,
    conflict: TooManyExports,
  }),
  run: ({ logstore, body, ...request }) => lineExports.startExport(logstore, body, request),
})

export const downloadLogExport = endpoint({
  method: 'GET',
  path: '/exports/{filename}',
  summary: 'Download exported log lines',
  effect: 'reads',
  params: LogExportPath,
  reply: bytes('text/csv', 'application/x-ndjson'),
  throws: { not_found: ExportMissing },
  run: ({ logstore, params }) => lineExports.openExport(logstore, params.filename),
})
