import { problem } from '../../core/problem.ts'

export const ConfigRejected = problem('config_rejected', 500, 'keepalived rejects the configuration')
export const ForeignConfig = problem(
  'conflict',
  409,
  'keepalived has a configuration that the panel did not write: move it away first',
)
