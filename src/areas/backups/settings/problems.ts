import { problem } from '../../../core/problem.ts'

export const KeyMissing = problem('not_found', 404, 'No encryption key is stored: generate one')
export const SettingInvalid = problem('bad_request', 400, 'The backup settings are invalid')
