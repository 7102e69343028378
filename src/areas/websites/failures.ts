import { failures } from '../../core/endpoint.ts'
import { DiskFull } from '../../host/files.ts'
import { ServiceFailed } from '../../host/services.ts'
import { notTaken } from '../../tools/nginx/index.ts'

/** Failures of a host that cannot store nginx's files or start nginx. */
export const refusedByHost = { insufficient_storage: DiskFull, service_failed: ServiceFailed }

/** Failures that prevent a site's configuration from being activated; everything is then restored. */
export const notServed = failures({ config_failed: notTaken }, refusedByHost)
