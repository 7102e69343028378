import Type, { type Static, type TSchema } from 'typebox'
import { Id, OneOf, Optional, Prose, Secret, Text, Time } from '../../core/schemas.ts'

const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

const CertificateName = Type.String({
  maxLength: 255,
  pattern:
    '^(?:\\*\\.)?(?!-)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$',
  description: 'Host name, or *. before one',
  expects: 'a host name in lower case such as www.example.com or *.example.com',
})
const Names = Type.Array(CertificateName, {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'Names of the certificate; by default the domain and its aliases',
  expects: 'a list of 1 to 100 different host names',
})

export const CertificateIssue = Type.Object({
  method: OneOf(['acme', 'upload', 'self_signed'], {
    default: 'acme',
    description: 'Issued by a certificate authority, uploaded, or made here so that no browser trusts it',
  }),
  names: Optional(Names),
  certificate: Optional(Secret({ maxLength: 200_000, description: 'PEM with its chain, to upload' })),
  key: Optional(
    Secret({ maxLength: 50_000, description: 'PEM of the key, without a passphrase, to upload' }),
  ),
})
export type CertificateIssue = Static<typeof CertificateIssue>

export const IssueInput = Type.Object({ website_id: Id, ...CertificateIssue.properties })
export type IssueInput = Static<typeof IssueInput>

const warning = Nullable(
  Prose(2000, { description: 'What its chain lacks, so that some visitors refuse it; null if nothing' }),
)

export const Issued = Type.Object({
  names: Type.Array(Text(255), { maxItems: 1000 }),
  issuer: Text(500),
  not_after: Time,
  warning,
})

export type Issued = Static<typeof Issued>

export const CertificateStatus = Type.Object({
  state: OneOf(['none', 'valid', 'expiring', 'expired'], {
    description: 'Expiring: at the end of its lifetime without having been renewed',
  }),
  method: Nullable(OneOf(['acme', 'upload', 'self_signed'])),
  names: Type.Array(Text(255), { maxItems: 1000 }),
  uncovered: Type.Array(Text(253), {
    maxItems: 101,
    description: 'Names of the website that the certificate is not for',
  }),
  issuer: Nullable(Text(500)),
  not_before: Nullable(Time),
  not_after: Nullable(Time),
  renew_at: Nullable(Time),
  warning,
  https_redirect: Type.Boolean(),
  hsts: Type.Boolean(),
  last_error: Nullable(
    Prose(2000, { description: 'Why the last attempt failed, in the words of the authority' }),
  ),
  failed_at: Nullable(Time),
  retry_at: Nullable(Time),
})
export type CertificateStatus = Static<typeof CertificateStatus>

export const CertificateCheck = Type.Object({
  check: OneOf(['resolves', 'reachable', 'challenge', 'caa', 'directory', 'chain']),
  name: Text(2000, { description: 'The name, or the address of the ACME directory' }),
  ok: Type.Boolean(),
  message: Prose(2000),
})
export type CertificateCheck = Static<typeof CertificateCheck>

export const CertificateExplanation = Type.Object({
  ok: Type.Boolean(),
  failing: Nullable(CertificateCheck),
  checks: Type.Array(CertificateCheck, { maxItems: 500 }),
})
export type CertificateExplanation = Static<typeof CertificateExplanation>

const PanelName = Type.String({
  maxLength: 253,
  pattern: '^(?!-)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$',
  description: 'Host name of the panel',
  expects: 'a host name in lower case such as panel.example.com',
})

export const PanelCertificateOrder = Type.Object({ name: PanelName })
export type PanelCertificateOrder = Static<typeof PanelCertificateOrder>

export const PanelCertificateIssued = Type.Object({ name: Text(253), issuer: Text(500), not_after: Time })
export type PanelCertificateIssued = Static<typeof PanelCertificateIssued>

export const PanelCertificateStatus = Type.Object({
  name: Nullable(
    Text(253, { description: 'Name that a certificate was ordered for; null if there was none' }),
  ),
  suggested_name: Nullable(Text(253, { description: 'Name of the host, if it can have a certificate' })),
  serves_https: Type.Boolean({ description: 'Whether the panel itself answers over https' }),
  names: Type.Array(Text(255), { maxItems: 100, description: 'Names of the certificate that is served' }),
  issuer: Nullable(Text(500)),
  not_before: Nullable(Time),
  not_after: Nullable(Time),
  is_renewed: Type.Boolean({
    description: 'Whether the certificate that is served was ordered here, and is renewed automatically',
  }),
  renew_at: Nullable(Time),
  last_error: Nullable(Prose(2000, { description: 'Why the last order failed' })),
  failed_at: Nullable(Time),
  retry_at: Nullable(Time),
})
export type PanelCertificateStatus = Static<typeof PanelCertificateStatus>
