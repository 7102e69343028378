import { problem, type ProblemKind } from '../../core/problem.ts'

export const ConfigRejected = problem('config_failed', 500, 'The program rejected the configuration')
export const ReloadFailed = problem(
  'config_failed',
  500,
  'The program did not load the new configuration; the previous one was restored',
)
export const RestoreFailed = problem(
  'config_failed',
  500,
  'The program loads neither the new nor the previous configuration',
)

/** Every reason why a program rejects a configuration. */
export const notTaken: readonly ProblemKind[] = [ConfigRejected, ReloadFailed, RestoreFailed]
