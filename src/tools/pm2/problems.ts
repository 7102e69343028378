import Type from 'typebox'
import { problem } from '../../core/problem.ts'

const fields = Type.Object({
  output: Type.String({ maxLength: 20_000, description: 'What the process manager printed' }),
})

export const ProcessManagerFailed = problem('process_manager_error', 500, 'PM2 failed', { fields })
export const RemovalFailed = problem('uninstall_failed', 500, 'The gateway could not be removed', { fields })
export const ProgramRejected = problem('install_failed', 500, 'The gateway could not be installed')
