import { problem } from '../../core/problem.ts'

export const BackendFailed = problem(
  'search_backend_error',
  502,
  'The search backend did not do what was asked',
)
export const QueryRefused = problem('bad_request', 400, 'The search backend refuses the query')
export const ReplyUnreadable = problem('parse_error', 500, 'The answer of the search backend cannot be read')
export const NotServing = problem('start_failed', 500, 'The search backend did not start')
export const RepositoryUnreachable = problem(
  'install_failed',
  500,
  'The package repository of the search backend cannot be added',
)
