import { at } from '../../core/endpoint.ts'
import { ApiRefused } from '../../host/apply/steps.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { BackendFailed } from '../../tools/opensearch/index.ts'

const { NotAnswering, ReplyTooLarge } = connectProblems

/** Every reason why OpenSearch does not do what was asked. */
export const ofBackend = {
  search_backend_error: at(502, BackendFailed, NotAnswering, ReplyTooLarge, ApiRefused),
}
