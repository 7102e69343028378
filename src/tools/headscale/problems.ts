import { problem } from '../../core/problem.ts'

export const DownloadFailed = problem('download_error', 500, 'The control server could not be downloaded')
export const ForeignFiles = problem(
  'conflict',
  409,
  'The host has a headscale that the panel did not install',
)
export const KeyMissing = problem('config_error', 500, 'The panel has no API key of the control server')
export const KeyFailed = problem('apikey_error', 500, 'The control server made no API key')
export const ServerRefused = problem('api_error', 500, 'The control server did not do what was asked')
export const NotServing = problem('start_error', 500, 'The control server does not answer')
export const AddressFailed = problem('address_failed', 500, 'The address of the node could not be changed')
