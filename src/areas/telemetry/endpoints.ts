import Type from 'typebox'
import { local, styled } from '../../core/endpoint.ts'
import { key } from '../../core/guard.ts'
import { StoreFailed } from '../../core/problem.ts'
import { flat } from '../../core/reply.ts'
import { Optional } from '../../core/schemas.ts'
import {
  ActivationFailed,
  KeyMissing,
  LicenceKey,
  LicenceNotStored,
  LicenceServerFailed,
  LicenceUnreadable,
} from '../licence/index.ts'
import { type Context, endpoint } from './context.ts'
import { Ping, PushedLicence, TelemetryMetrics } from './model.ts'
import * as monitoring from './telemetry.ts'

const monitored = (whenUnset: 'loopback' | 'loopback-superuser') =>
  key<Context>('X-Telemetry-Token', ({ telemetry }, { key: sent }) => telemetry.verdictOn(sent), {
    whenUnset,
  })

export const ping = endpoint({
  method: 'GET',
  path: '/ping',
  summary: 'Tell a monitoring server that the panel runs, its version and licence',
  effect: 'reads',
  guard: monitored('loopback'),
  reply: flat(Ping),
  run: ({ telemetry, visitor, now }) => monitoring.ping(telemetry, visitor.ip, now),
})

export const readMetrics = endpoint({
  method: 'GET',
  path: '/metrics',
  summary: 'Read how busy the host was in the last 30 minutes',
  effect: 'reads',
  guard: monitored('loopback'),
  reply: flat(TelemetryMetrics),
  throws: { db_error: StoreFailed },
  run: ({ telemetry, now }) => monitoring.readMetrics(telemetry, now),
})

export const pushLicence = endpoint({
  method: 'POST',
  path: '/push-license',
  summary: 'Activate the licence of a key unless a licence is in force',
  effect: 'changes',
  category: local('a licence is for one host'),
  guard: monitored('loopback-superuser'),
  body: Type.Object({ license_key: Optional(LicenceKey) }),
  reply: flat(PushedLicence),
  throws: {
    bad_request: styled('coded', KeyMissing),
    activation_failed: styled('coded', ActivationFailed),
    license_server_error: styled('coded', LicenceServerFailed),
    decode_error: styled('coded', LicenceUnreadable),
    write_error: styled('coded', LicenceNotStored),
  },
  run: ({ telemetry, body, now }) => monitoring.pushLicence(telemetry, body.license_key, now),
})
