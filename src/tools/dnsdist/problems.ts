import { problem } from '../../core/problem.ts'

export const IncludeMissing = problem(
  'invalid_config',
  400,
  'The configuration must include the rules of the panel',
)
export const ConfigInvalid = problem('invalid_config', 400, 'dnsdist rejected the configuration')
