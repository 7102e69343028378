import { problem } from '../../core/problem.ts'

export const ValueInvalid = problem('bad_request', 400, 'The panel cannot start with this value')
export const SetByEnvironment = problem(
  'set_by_environment',
  409,
  'The environment sets this setting: change its variable and restart the panel',
)
export const FileInvalid = problem('config_invalid', 409, 'The configuration file cannot be read')
export const SetInTable = problem(
  'config_invalid',
  409,
  'A table of the configuration file sets this setting',
)
