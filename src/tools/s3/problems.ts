import { problem } from '../../core/problem.ts'

export const ObjectStoreFailed = problem('s3_error', 400, 'The S3 server refused the request')
export const ObjectRetained = problem(
  's3_error',
  400,
  'The S3 server keeps an object until its retention ends',
)
export const ObjectDamaged = problem('s3_error', 400, 'An object of the S3 server is not what was stored')
