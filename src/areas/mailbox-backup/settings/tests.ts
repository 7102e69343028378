import { isMasked } from '../../../core/secret.ts'
import { urlOf } from '../../../tools/s3/index.ts'
import { assertReadable } from '../directory.ts'
import type * as model from '../model.ts'
import type { MailboxBackup } from '../parts.ts'
import { SettingInvalid } from '../problems.ts'

const given = (value: string | undefined): value is string => value !== undefined && !isMasked(value)

/** Signs in with the settings that are given, or the stored ones, and reads the users of the directory. */
export async function testIdp(
  on: MailboxBackup,
  draft: model.IdpTest,
  signal: AbortSignal,
): Promise<model.Tested> {
  const { idp: stored } = await on.settings.read()
  const isOther = (draft.idp_tenant_id || stored.tenantId) !== stored.tenantId
  if (isOther && !given(draft.idp_client_secret))
    throw SettingInvalid('idp_client_secret: enter it again for another directory')
  const idp = {
    tenantId: draft.idp_tenant_id ?? stored.tenantId,
    clientId: draft.idp_client_id ?? stored.clientId,
    clientSecret: given(draft.idp_client_secret) ? draft.idp_client_secret : stored.clientSecret,
  }
  const { users, folders } = await assertReadable(on, idp, signal)
  return {
    success: true,
    message: `Signed in. The directory has ${users} users; the mailbox that was tried has ${folders} folders.`,
  }
}

/** Reads the head of the bucket with the settings that are given, or the stored ones. */
export async function testS3(
  on: MailboxBackup,
  draft: model.S3Test,
  signal: AbortSignal,
): Promise<model.Tested> {
  const { s3: stored } = await on.settings.read()
  const endpoint = draft.s3_endpoint ?? stored.endpoint
  const bucket = draft.s3_bucket ?? stored.bucket
  if (urlOf(endpoint) === undefined)
    throw SettingInvalid('s3_endpoint: must be the address of a server such as https://s3.example.com')
  if (bucket === '') throw SettingInvalid('s3_bucket: must be the name of a bucket')
  if (endpoint !== stored.endpoint && !given(draft.s3_secret_key))
    throw SettingInvalid('s3_secret_key: enter it again for another server')
  const s3 = {
    endpoint,
    bucket,
    accessKey: draft.s3_access_key ?? stored.accessKey,
    secretKey: given(draft.s3_secret_key) ? draft.s3_secret_key : stored.secretKey,
    region: draft.s3_region || stored.region,
  }
  await on.openObjects(s3).assertBucket(signal)
  return { success: true, message: `The bucket ${bucket} can be reached with this access key` }
}
