import { at, local } from '../../core/endpoint.ts'
import { DiskFull, FileTooLarge } from '../../host/files.ts'
import { ServiceFailed } from '../../host/services.ts'
import {
  AuthFailed,
  AuthRejected,
  ChallengeFailed,
  ConfigRejected,
  ConfigUnreadable,
  GatewayFailed,
  GatewayUnavailable,
  NotConfigured,
} from '../../tools/openclaw/index.ts'
import { ConfigUnsafe } from './problems.ts'

/** Each host has an assistant of its own. */
export const ofThisHost = local('each host has an assistant of its own')

/** A restart, the check by OpenClaw and the wait for it take longer than a usual request. */
export const restartMs = 400_000

export const notSetUp = { ai_not_configured: NotConfigured } as const

/** What a question to the gateway meets, under the one code that the contract has for all of it. */
export const asking = {
  ai_not_configured: NotConfigured,
  gateway_error: at(503, GatewayFailed, GatewayUnavailable, ChallengeFailed, AuthFailed, AuthRejected),
  parse_failed: ConfigUnreadable,
}

/** What a change of the settings meets. */
export const editFailures = {
  ...notSetUp,
  bad_request: [ConfigRejected, ConfigUnsafe],
  parse_failed: ConfigUnreadable,
  gateway_unavailable: GatewayUnavailable,
  service_failed: ServiceFailed,
  read_failed: at(500, FileTooLarge),
  write_failed: at(500, DiskFull),
}

/** What a restart meets. */
export const restartFailures = {
  ...notSetUp,
  gateway_unavailable: GatewayUnavailable,
  service_failed: ServiceFailed,
}
