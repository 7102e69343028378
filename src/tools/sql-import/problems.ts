import { problem } from '../../core/problem.ts'

export const NotSql = problem('bad_request', 400, 'The file is not a dump that the server can import')
export const StatementRefused = problem('import_failed', 500, 'A statement was refused')
export const ImportFailed = problem('import_failed', 500, 'The import failed')
export const DumpFailed = problem('export_failed', 500, 'The database could not be dumped')
