import { failures } from '../../core/endpoint.ts'
import { DiskFull } from '../../host/files.ts'
import { ServiceFailed } from '../../host/services.ts'
import { notTaken } from '../../tools/nginx/index.ts'

/** The host takes no files of nginx, or cannot start it. */
export const refusedByHost = { insufficient_storage: DiskFull, service_failed: ServiceFailed }

/** What keeps a site's configuration from going live; everything is as it was then. */
export const notServed = failures({ config_failed: notTaken }, refusedByHost)
