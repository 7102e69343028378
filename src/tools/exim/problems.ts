import { problem } from '../../core/problem.ts'

export const TestFailed = problem('mail_failed', 502, 'The message was not delivered')
export const QueueUnreadable = problem('queue_failed', 500, 'The mail queue could not be read')
