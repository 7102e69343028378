import { at } from '../../core/endpoint.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { BackendFailed } from '../../tools/powerdns/index.ts'

const { NotAnswering, ReplyTooLarge } = connectProblems

/** Every reason why PowerDNS does not do what was asked. */
export const ofBackend = { dns_backend_error: at(502, BackendFailed, NotAnswering, ReplyTooLarge) }
