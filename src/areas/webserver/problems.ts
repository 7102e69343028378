import { problem } from '../../core/problem.ts'

export const AlreadyServing = problem('bad_request', 400, 'The web server serves the websites already')
export const NotSwitchable = problem(
  'conflict',
  409,
  'The other web server does not have what a website has, or would not start as it is configured',
)
export const SwitchFailed = problem(
  'switch_failed',
  500,
  'A website answered otherwise than before; the former web server serves again',
)
