import { problem } from '../../core/problem.ts'

export const PluginMissing = problem(
  'bad_request',
  400,
  'The plugin uptime is disabled: enable it under Plugins',
)
export const MonitorInvalid = problem('bad_request', 400, 'The monitor is invalid')
export const MonitorNotFound = problem('not_found', 404, 'Monitor not found')
export const WindowInvalid = problem('bad_request', 400, 'The maintenance window is invalid')
export const TooManyWindows = problem(
  'bad_request',
  400,
  'There are 200 maintenance windows: delete one first',
)
export const StatusPageMissing = problem('not_found', 404, 'There is no public status page')
