import { problem } from '../../core/problem.ts'

export const EngineFailed = problem('container_error', 500, 'Docker Engine did not do what was asked')
/** The image cannot be downloaded. */
export const ImageUnavailable = problem('container_error', 500, 'The image cannot be pulled')
export const NameTaken = problem('name_taken', 409, 'Another container has this name')
