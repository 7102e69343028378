import { problem } from '../../core/problem.ts'

export const InputInvalid = problem('bad_request', 400, 'The request is invalid')
export const CaptureRunning = problem('capture_running', 409, 'A capture is running: stop it first')
export const CaptureUnknown = problem('not_found', 404, 'There is no such capture session')
export const FieldInvalid = problem('bad_request', 400, 'invalid field type')
export const ValueMissing = problem('bad_request', 400, 'value required')
export const CaptureEmpty = problem('not_found', 404, 'The capture has no packets')
