import { problem, type ProblemKind } from '../../core/problem.ts'

export const ConfigRejected = problem('config_failed', 500, 'The program refuses this configuration')
export const ReloadFailed = problem(
  'config_failed',
  500,
  'The program did not take the new configuration; the old one is back',
)
export const RestoreFailed = problem(
  'config_failed',
  500,
  'The program takes neither the new configuration nor the old one',
)

/** Every way in which a program does not take a configuration. */
export const notTaken: readonly ProblemKind[] = [ConfigRejected, ReloadFailed, RestoreFailed]
