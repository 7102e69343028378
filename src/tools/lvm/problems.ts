import { problem } from '../../core/problem.ts'

export const ExtendFailed = problem('extend_failed', 500, 'The volume was not extended')
export const ResizeFailed = problem('resize_failed', 500, 'The volume was extended, but not its file system')
