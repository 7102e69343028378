import { problem } from '../../core/problem.ts'

export const AlreadyInstalled = problem('already_installed', 400, 'OpenSearch is installed already')
export const NotInstalled = problem('bad_request', 400, 'The log store is not installed: install it first')
export const SourceInvalid = problem('bad_request', 400, 'The source is invalid')
export const SearchInvalid = problem('bad_request', 400, 'The search is invalid')
export const MissingName = problem('missing_name', 400, 'name: must be a name of 1 to 200 characters')
export const TooManySaved = problem('bad_request', 400, 'There are 500 saved searches: delete one first')
export const TooManyAlerts = problem(
  'bad_request',
  400,
  'alert_threshold: there are 50 saved searches with an alert: delete one first',
)
export const TooManyExports = problem(
  'conflict',
  409,
  'There are 20 exports: each is removed after a day, so export more at once, or wait',
)
export const ExportMissing = problem('not_found', 404, 'There is no such export')
