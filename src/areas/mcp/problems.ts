import { problem } from '../../core/problem.ts'

export const CertificateUnreadable = problem(
  'read_failed',
  500,
  'The certificate of the panel cannot be read',
)
export const CertificateNotMade = problem(
  'regenerate_failed',
  500,
  'A certificate for the key of the panel cannot be made',
)
