import { at, failures } from '../../core/endpoint.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { BackendFailed, RecordsRefused } from '../../tools/powerdns/index.ts'
import { ZoneRefused } from './problems.ts'

const { NotAnswering, ReplyTooLarge } = connectProblems

/** Every reason why the DNS zone of a new website is not created. */
export const zoneFailures = failures({
  bad_request: [ZoneRefused, RecordsRefused],
  dns_backend_error: at(502, BackendFailed, NotAnswering, ReplyTooLarge),
})
