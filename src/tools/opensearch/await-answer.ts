import type { StepKind } from '../../core/change.ts'
import { poll } from '../../core/poll.ts'
import { finalStep } from '../../core/steps.ts'
import type { OpensearchApi } from './api.ts'
import type { Cluster } from './cluster.ts'
import { NotServing } from './problems.ts'

const limitMs = 60_000

/** The step that waits until a started OpenSearch answers. */
export const awaitAnswer = (api: OpensearchApi, cluster: Cluster): StepKind<null, null, null> =>
  finalStep<null>({
    name: 'opensearch.await-answer',
    plan: () => ({ title: 'Wait until OpenSearch answers' }),
    why: 'it changes nothing',
    act: async (_args, { signal }) => {
      const everyMs = 500
      if (await poll(async () => (await isReady(api)) || undefined, { limitMs, everyMs, signal })) return null
      const where =
        cluster.nodes.length > 0
          ? 'its nodes are in the setting logstore_url'
          : 'its log is /var/log/opensearch/hostreeve.log'
      throw NotServing(`OpenSearch did not answer within ${limitMs / 1000} s: ${where}`)
    },
    isDone: () => isReady(api),
  })

/** True if it answers, and can be written to. */
const isReady = (api: OpensearchApi): Promise<boolean> =>
  api.ask({ method: 'GET', path: '/_cluster/health?wait_for_status=yellow&timeout=1s' }).then(
    (body) => body !== undefined,
    () => false,
  )
