import { problem } from '../../core/problem.ts'

export const CommandsUnsupported = problem('not_supported', 409, 'This host cannot record commands')
