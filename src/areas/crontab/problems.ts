import { problem } from '../../core/problem.ts'

export const CrontabRefused = problem('bad_request', 400, 'The crontab has a line that cron does not accept')
export const LineUnknown = problem('bad_request', 400, 'The line of the crontab is not a job')
export const RunsAlready = problem('conflict', 409, 'A line of this crontab is being run: wait for its job')
