import { problem } from '../../core/problem.ts'

export const UpdatesRunning = problem(
  'already_running',
  409,
  'Updates are being installed, or the package lists fetched; wait for that job to end',
)
