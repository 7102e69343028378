import { failures } from '../../../core/endpoint.ts'
import Type from 'typebox'
import { created, data, succeeded } from '../../../core/reply.ts'
import { Hostname } from '../../../core/schemas.ts'
import { haproxyProblems as haproxy } from '../../../tools/haproxy/index.ts'
import * as certificates from '../certificates.ts'
import { endpoint } from '../context.ts'
import { live, notLive } from '../failures.ts'
import * as model from '../model.ts'
import { CertificateRefused, CertificateUsed, NoSuchCertificate } from '../problems.ts'

export const listCertificates = endpoint({
  method: 'GET',
  path: '/certificates',
  summary: 'List the certificates that frontends may use, without their keys',
  effect: 'reads',
  reply: data(Type.Array(model.StoredCertificate, { maxItems: 10_000 })),
  run: ({ now, lbproxy }) => certificates.listCertificates(lbproxy, now),
})

export const storeCertificate = endpoint({
  method: 'POST',
  path: '/certificates',
  summary: 'Store a certificate with its key, or make a self-signed one',
  effect: 'changes',
  category: 'services',
  body: model.CertificateDraft,
  reply: created(model.StoredCertificate),
  throws: failures({ bad_request: [haproxy.CertificateInvalid, CertificateRefused] }, notLive),
  target: live,
  run: ({ target, body, now, lbproxy }) =>
    certificates.storeCertificate(lbproxy, target, { draft: body, now }),
})

export const deleteCertificate = endpoint({
  method: 'DELETE',
  path: '/certificates/{domain}',
  summary: 'Remove a certificate that no frontend uses',
  effect: 'destroys',
  category: 'services',
  params: Type.Object({ domain: Hostname }),
  reply: succeeded,
  throws: failures({ not_found: NoSuchCertificate, conflict: CertificateUsed }, notLive),
  target: live,
  run: ({ target, params, lbproxy }) => certificates.deleteCertificate(lbproxy, target, params.domain),
})
