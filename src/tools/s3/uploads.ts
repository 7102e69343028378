import type { S3mini } from 's3mini'
import Type from 'typebox'
import { compiled } from '../../core/compiled.ts'

const Upload = Type.Object({ Key: Type.String(), UploadId: Type.String() })
const Listed = compiled(
  Type.Object({
    ListMultipartUploadsResult: Type.Object({
      Upload: Type.Optional(Type.Union([Upload, Type.Array(Upload)])),
    }),
  }),
)

/** A list has at most 1000 uploads. */
const mostLists = 20

/** Ends uploads in parts that were cut off, such as by a kill: their parts are kept, and charged for, where nobody sees them. */
export async function endUploads(
  client: S3mini,
  prefix: string,
  isMeant: (key: string) => boolean,
): Promise<void> {
  for (let list = 0; list < mostLists; list += 1) {
    const found = (await listUploads(client, prefix)).filter(({ Key }) => isMeant(Key))
    if (found.length === 0) return
    for (const { Key, UploadId } of found) await client.abortMultipartUpload(Key, UploadId)
  }
}

async function listUploads(client: S3mini, prefix: string) {
  const answer: unknown = await client.listMultipartUploads('/', '', 'GET', { prefix })
  if (!Listed.Check(answer)) return []
  const { Upload: uploads = [] } = answer.ListMultipartUploadsResult
  return Array.isArray(uploads) ? uploads : [uploads]
}
