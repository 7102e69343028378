import { problem } from '../../core/problem.ts'

export const CertificateRefused = problem('bad_request', 400, 'The certificate or its key cannot be used')
export const NameRefused = problem('bad_request', 400, 'The certificate cannot be for that name')
export const NoCertificate = problem('not_found', 404, 'The website has no certificate')
export const OrderFailed = problem('acme_failed', 502, 'The certificate authority issued no certificate')
export const IssuingAlready = problem(
  'conflict',
  409,
  'A certificate is being issued for this website: wait for its job',
)
export const NoPanelCertificate = problem(
  'not_found',
  404,
  'The panel has no certificate of a certificate authority',
)
export const PanelOrderingAlready = problem(
  'conflict',
  409,
  'A certificate is being ordered for the panel: wait for its job',
)
