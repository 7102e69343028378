import { problem } from '../../core/problem.ts'

export const DomainTaken = problem(
  'bad_request',
  400,
  'The host name belongs to another website or to the panel',
)
export const BelowAnother = problem('bad_request', 400, 'The host name is below that of another owner')
export const OwnerUnknown = problem('bad_request', 400, 'The owner is not a hosting user of this panel')
export const AlreadySo = problem('bad_request', 400, 'The website is already in that state')
export const AliasUnknown = problem('not_found', 404, 'The website has no such alias')
export const HstsWithoutRedirect = problem('bad_request', 400, 'HSTS needs the redirect to https')
export const UpstreamInvalid = problem('bad_request', 400, 'The upstream is not allowed')
export const ZoneRefused = problem('bad_request', 400, 'The DNS zone of the website cannot be created')
export const VersionMissing = problem('bad_request', 400, 'The PHP version is not installed')
export const SettingInvalid = problem('bad_request', 400, 'The setting is not allowed')
export const CloningAlready = problem(
  'conflict',
  409,
  'A website is being copied to this domain: wait for its job',
)
