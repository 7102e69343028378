import { problem } from '../../core/problem.ts'

export const EngineFailed = problem('container_error', 500, 'Docker Engine did not do what was asked')
/** The engine has no object of that name. */
export const ObjectMissing = problem('not_found', 404, 'Docker Engine has no such object')
/** The engine refuses the value of a caller. */
export const ValueRefused = problem('bad_request', 400, 'Docker Engine refuses the value')
/** The image cannot be downloaded. */
export const ImageUnavailable = problem('container_error', 500, 'The image cannot be pulled')
export const NameTaken = problem('name_taken', 409, 'Another container has this name')
