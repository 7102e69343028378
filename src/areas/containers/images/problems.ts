import { problem } from '../../../core/problem.ts'

export const ImageMissing = problem('not_found', 404, 'There is no such image')
export const ImageInUse = problem('image_in_use', 409, 'Containers use the image')
export const ImageInvalid = problem('bad_request', 400, 'The name of the image is invalid')
