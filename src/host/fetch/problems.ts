import { problem } from '../../core/problem.ts'

export const UrlInvalid = problem('bad_request', 400, 'The URL is invalid')
export const AddressRefused = problem('bad_request', 400, 'You may not access this address')
export const HostNotFound = problem('host_not_found', 502, 'The host name does not resolve')
export const PeerUntrusted = problem('peer_untrusted', 400, 'The certificate is not that of the other panel')
export const FetchFailed = problem('download_failed', 502, 'The download failed')
