import Type from 'typebox'
import { created, data, succeeded } from '../../../core/reply.ts'
import { Hostname } from '../../../core/schemas.ts'
import { haproxyProblems as haproxy } from '../../../tools/haproxy/index.ts'
import * as certificates from '../certificates.ts'
import { endpoint } from '../context.ts'
import * as model from '../model.ts'
import { CertificateRefused, CertificateUsed, NoSuchCertificate } from '../problems.ts'
import { changingConfig } from './preambles.ts'

export const listCertificates = endpoint({
  method: 'GET',
  path: '/certificates',
  summary: 'List the certificates that frontends may use, without their keys',
  effect: 'reads',
  reply: data(Type.Array(model.StoredCertificate, { maxItems: 10_000 })),
  run: ({ now, lbproxy }) => certificates.listCertificates(lbproxy, now),
})

export const storeCertificate = changingConfig({
  method: 'POST',
  path: '/certificates',
  summary: 'Store a certificate with its key, or make a self-signed one',
  effect: 'changes',
  body: model.CertificateDraft,
  reply: created(model.StoredCertificate),
  throws: { bad_request: [haproxy.CertificateInvalid, CertificateRefused] },
  run: ({ target, body, now, lbproxy }) =>
    certificates.storeCertificate(lbproxy, target, { draft: body, now }),
})

export const deleteCertificate = changingConfig({
  method: 'DELETE',
  path: '/certificates/{domain}',
  summary: 'Remove a certificate that no frontend uses',
  effect: 'destroys',
  params: Type.Object({ domain: Hostname }),
  reply: succeeded,
  throws: { not_found: NoSuchCertificate, conflict: CertificateUsed },
  run: ({ target, params, lbproxy }) => certificates.deleteCertificate(lbproxy, target, params.domain),
})
