import { problem } from '../../core/problem.ts'

export const UrlInvalid = problem('bad_request', 400, 'The URL is not valid')
export const AddressRefused = problem(
  'bad_request',
  400,
  'The address is not one that you may reach from here',
)
export const HostNotFound = problem('host_not_found', 502, 'The host name has no address')
export const FetchFailed = problem('download_failed', 502, 'The download failed')
