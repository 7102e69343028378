import type { Caller } from '../../../core/caller.ts'
import { Problem } from '../../../core/problem.ts'
import { isPlainPart, urlOf } from '../../../tools/s3/index.ts'
import type { BackupsArea } from '../context.ts'
import type { ObjectStoreTest, ObjectStoreTested } from './model.ts'
import { SettingInvalid } from './problems.ts'
import { bucketInvalid } from './settings.ts'

interface Asking {
  readonly caller: Caller
  readonly signal: AbortSignal
}

/** Reads the head of the bucket with the credentials, and measures the way to the server. */
export async function testObjectStore(
  on: BackupsArea,
  draft: ObjectStoreTest,
  asking: Asking,
): Promise<ObjectStoreTested> {
  const url = urlOf(draft.s3_endpoint)
  if (url === undefined)
    throw SettingInvalid('s3_endpoint: must be the address of a server such as https://s3.example.com')
  if (!isPlainPart(draft.s3_bucket)) throw SettingInvalid(bucketInvalid)
  const settings = {
    endpoint: draft.s3_endpoint,
    bucket: draft.s3_bucket,
    accessKey: draft.s3_access_key,
    secretKey: draft.s3_secret_key,
    region: draft.s3_region || 'us-east-1',
  }
  const objects = on.openObjects(settings, { limitMs: answerMs })
  await objects.assertBucket(asking.signal)
  return {
    success: true,
    message: `The bucket ${draft.s3_bucket} can be reached with this access key`,
    ping_ms: await roundTrip(on, url.hostname, asking),
    ping_host: url.hostname,
  }
}

/** A request is sent three times to a server that does not answer, all within the time of the test. */
const answerMs = 10_000

/** Many servers answer no pings: the test of the bucket has succeeded all the same. */
async function roundTrip(on: BackupsArea, hostname: string, { caller, signal }: Asking): Promise<number> {
  try {
    const { address } = await on.addresses.resolveAllowed(hostname, 1, caller.user, signal)
    const asked = { address, count: 1, sizeBytes: 56, intervalSeconds: 1, waitSeconds: 2, signal }
    const { received, avgMs } = await on.ping.ping(asked)
    return received > 0 ? avgMs : -1
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return -1
  }
}
