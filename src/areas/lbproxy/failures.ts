import type { Failures } from '../../core/endpoint.ts'
import { DiskFull, FileTooLarge } from '../../host/files.ts'
import { ServiceFailed } from '../../host/services.ts'
import type { Context } from './context.ts'
import { PlaceTaken } from './problems.ts'
import { haproxyProblems as haproxy, notTaken } from '../../tools/haproxy/index.ts'

/** What a path names and the configuration has not. */
export const missing = { not_found: haproxy.NoSuchPart }

/** What stands in the way of an edit. */
export const taken = { conflict: [haproxy.NameTaken, haproxy.StillUsed, haproxy.OnlyByHand, PlaceTaken] }

/** The target of a change: the live configuration, whose revision `If-Match` may name. */
export const live = ({ lbproxy }: Context) => lbproxy.live()

/** What keeps a change from going live; everything is as it was then. */
export const notLive: Readonly<Record<string, Failures>> = {
  config_failed: [...notTaken, haproxy.NotRunning, ServiceFailed, FileTooLarge],
  insufficient_storage: DiskFull,
}
