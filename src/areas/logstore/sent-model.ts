import Type, { type Static } from 'typebox'
import { Id, OneOf, Optional, Prose, Text, Time } from '../../core/schemas.ts'
import { LogChoice, LogLine, SavedSearchDraft } from './model.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const LogTailQuery = Type.Object({
  query: Text(2000, { default: '', description: 'As in a search' }),
  severity: SavedSearchDraft.properties.severity,
})
export type LogTailQuery = Static<typeof LogTailQuery>

export const LogTailLine = Type.Object({
  type: OneOf(['line', 'error'], { description: 'An error ends the stream' }),
  message: Prose(1_000_000, { description: 'The line, or the error' }),
  time: Optional(Text(40, { description: 'When it arrived, UTC' })),
  severity: LogLine.properties.severity,
  host: LogLine.properties.host,
  program: LogLine.properties.program,
  source: LogLine.properties.source,
  source_ip: LogLine.properties.source_ip,
  left_out: Optional(Count('Lines before this one that were left out, as more arrived than are sent')),
})
export type LogTailLine = Static<typeof LogTailLine>

const formats = ['csv', 'jsonl'] as const
export const LogExportDraft = Type.Object({
  ...LogChoice.properties,
  format: OneOf(formats, {
    default: 'jsonl',
    description: 'csv with a row of titles, or jsonl with an object on each line',
  }),
})
export type LogExportDraft = Static<typeof LogExportDraft>

const ExportName = Text(100, { description: 'Name of the file' })
export const LogExportPath = Type.Object({ filename: ExportName })
export const LogExport = Type.Object({
  filename: ExportName,
  job_id: Id,
  size_bytes: Count('Size'),
  created_at: Time,
  expires_at: Type.String({ ...Time, description: 'From when on it is removed' }),
})
export type LogExport = Static<typeof LogExport>
export const LogExports = Type.Array(LogExport, { maxItems: 1000 })
