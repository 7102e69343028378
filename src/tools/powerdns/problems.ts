import { problem } from '../../core/problem.ts'

export const BackendFailed = problem('dns_backend_error', 502, 'PowerDNS did not do what was asked')
export const RecordsRefused = problem('bad_request', 400, 'PowerDNS refuses the records')
export const NotServing = problem('config_failed', 500, 'PowerDNS does not run with its configuration')
