import type { ProblemKind } from '../../core/problem.ts'
import { DiskFull } from '../../host/files.ts'
import { ServiceFailed } from '../../host/services.ts'
import { ConfigRejected, ReloadFailed, RestoreFailed } from '../../tools/nginx/index.ts'

/** nginx does not serve what was written for it; everything is as it was then. */
export const refusedByNginx: readonly ProblemKind[] = [ConfigRejected, ReloadFailed, RestoreFailed]

/** The host takes no files of nginx, or cannot start it. */
export const refusedByHost = { insufficient_storage: DiskFull, service_failed: ServiceFailed }

/** What keeps a site's configuration from going live. */
export const notServed = { config_failed: refusedByNginx, ...refusedByHost }
