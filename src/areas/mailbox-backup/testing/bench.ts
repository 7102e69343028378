import { openTestPanel, type TestPanel, type TestPanelOptions } from '../../../../test/support/panel.ts'
import { hangMs, until } from '../../../../test/support/until.ts'
import { overStates } from '../../../jobs/tables.ts'
import { type StandInGraph, standInGraph } from '../../../tools/graph/testing/stand-in.ts'
import { type StandInBucket, standInBucket } from '../../../tools/s3/testing/server.ts'

/** A panel with the feature, beside stand-ins for Microsoft Graph and an S3 server. */
export interface Bench {
  readonly panel: TestPanel
  readonly graph: StandInGraph
  readonly bucket: StandInBucket
  ask(method: string, path: string, body?: unknown): ReturnType<TestPanel['request']>
  /** Sets the identity provider, and further settings. */
  configure(more?: object): Promise<void>
  /** Runs a backup to its end, and returns the job. */
  run(body?: object): Promise<any>
  ended(jobId: number): Promise<any>
  close(): Promise<void>
}

/** Opens the bench. */
export async function openBench(options: TestPanelOptions = {}): Promise<Bench> {
  const [graph, bucket] = await Promise.all([standInGraph(), standInBucket()])
  const panel = await openTestPanel({
    ...options,
    environment: {
      HOSTREEVE_FEATURES: 'mailbox_backup',
      HOSTREEVE_GRAPH_URL: graph.url,
      HOSTREEVE_GRAPH_LOGIN_URL: graph.url,
      ...options.environment,
    },
  })
  await panel.start()
  const ask: Bench['ask'] = (method, path, body) =>
    panel.request(method, `/api/mailbox-backup${path}`, {
      as: panel.admin,
      ...(body !== undefined && { body }),
    })
  const ended = (jobId: number) =>
    until(
      async () => {
        const { data } = await panel.request('GET', `/api/jobs/${jobId}`, { as: panel.admin })
        return overStates.has(data.state) && data
      },
      { limitMs: 5 * hangMs }, // each message is written to the disk on its own
    )
  return {
    panel,
    graph,
    bucket,
    ask,
    ended,
    configure: async (more = {}) => {
      const body = {
        ...{ idp_tenant_id: 'tenant-1', idp_client_id: 'client-1', idp_client_secret: graph.secret },
        ...more,
      }
      const { status, error } = await ask('POST', '/config', body)
      if (status !== 200) throw new Error(`the settings were refused: ${JSON.stringify(error)}`)
    },
    run: async (body = {}) => {
      const { status, data, json } = await ask('POST', '/run', body)
      if (status !== 202) throw new Error(`the run was refused: ${JSON.stringify(json)}`)
      return ended(data.job_id)
    },
    close: async () => {
      await panel.close()
      await Promise.all([graph.close(), bucket.close()])
    },
  }
}

/** The settings of the bucket. */
export const s3Of = (bucket: StandInBucket) => ({
  s3_endpoint: bucket.endpoint,
  s3_bucket: 'backups',
  s3_access_key: 'key',
  s3_secret_key: 'a-long-secret-key',
})
