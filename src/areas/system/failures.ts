import { DiskFull } from '../../host/files.ts'
import { ServiceFailed } from '../../host/services.ts'

/** Failures of a host that cannot store the files of a service or start it. */
export const refusedByHost = { insufficient_storage: DiskFull, service_failed: ServiceFailed }
