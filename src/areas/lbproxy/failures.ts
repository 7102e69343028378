import type { Failures } from '../../core/endpoint.ts'
import { DiskFull, FileTooLarge } from '../../host/files.ts'
import { ServiceFailed } from '../../host/services.ts'
import { ConfigRejected, haproxyProblems as haproxy, ReloadFailed, RestoreFailed } from '../../tools/haproxy/index.ts'

/** What keeps a change from going live; everything is as it was then. */
export const notLive: Readonly<Record<string, Failures>> = {
  config_failed: [ConfigRejected, ReloadFailed, RestoreFailed, haproxy.NotRunning, ServiceFailed, FileTooLarge],
  insufficient_storage: DiskFull,
}
