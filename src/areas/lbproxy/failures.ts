import type { Failures } from '../../core/endpoint.ts'
import { DiskFull, FileTooLarge } from '../../host/files.ts'
import { ServiceFailed } from '../../host/services.ts'
import { liveConfig } from './config.ts'
import type { Context } from './context.ts'
import { AddressTaken, PortHeld } from './problems.ts'
import { haproxyProblems as haproxy, notTaken } from '../../tools/haproxy/index.ts'

/** Failures of a path that names a missing part of the configuration. */
export const missing = { not_found: haproxy.NoSuchPart }

/** Conflicts that prevent an edit. */
export const taken = {
  conflict: [haproxy.NameTaken, haproxy.StillUsed, haproxy.OnlyByHand, AddressTaken, PortHeld],
}

/** The target of a change: the live configuration, whose revision `If-Match` may name. */
export const live = ({ lbproxy }: Context) => liveConfig(lbproxy)

/** Failures that prevent a change from being activated; everything is then restored. */
export const notLive: Readonly<Record<string, Failures>> = {
  config_failed: [...notTaken, haproxy.NotRunning, ServiceFailed, FileTooLarge],
  insufficient_storage: DiskFull,
}
