import { problem } from '../../core/problem.ts'

export const AlreadyServing = problem('bad_request', 400, 'The web server serves the websites already')
export const NotSwitchable = problem(
  'conflict',
  409,
  'A website has what the other web server does not have, or a file that was edited by hand',
)
export const SwitchFailed = problem(
  'switch_failed',
  500,
  'A website answered otherwise than before; the former web server serves again',
)
