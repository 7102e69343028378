import { problem } from '../../core/problem.ts'

export const NotStageable = problem('bad_request', 400, 'The website cannot have a staging copy')
export const ConfigUnreadable = problem('bad_request', 400, 'The configuration of WordPress cannot be read')
export const TablesFixed = problem('bad_request', 400, 'The tables cannot change places')
export const NotACopy = problem('not_found', 404, 'The website is no staging copy')
export const OriginMissing = problem('conflict', 409, 'The website of which it is a copy was deleted')
export const StagingAlready = problem(
  'conflict',
  409,
  'A staging copy is being made or pushed: wait for its job',
)
export const ReplacingFailed = problem('replace_failed', 500, 'The addresses could not be replaced')
export const SiteFails = problem('check_failed', 500, 'The website did not answer as before')
