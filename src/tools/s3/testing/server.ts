import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

interface Kept {
  readonly bytes: Buffer
  readonly sha256: string
}

interface Asked {
  readonly method: string
  /** Empty for the bucket itself, and for lists. */
  readonly key: string
}

/**
 * What a request is answered with instead: an error, without or with a body; nothing at all; a closed connection; half of
 * the object.
 */
type Fault = number | { readonly status: number; readonly body: string } | 'silent' | 'closed' | 'half'

/** A bucket in memory on loopback, for tests without programs. It checks no signatures; `status` fails every request. */
export interface StandInBucket {
  readonly endpoint: string
  readonly objects: Map<string, Kept>
  /** The requests so far. */
  readonly asked: Asked[]
  status: number | undefined
  fault: (asked: Asked) => Fault | undefined
  close(): Promise<void>
}

/** Starts a server with the bucket `backups`. */
export async function standInBucket(): Promise<StandInBucket> {
  const objects = new Map<string, Kept>()
  const server = createServer((request, response) => void answer(bucket, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const bucket: StandInBucket = {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    asked: [],
    status: undefined,
    fault: () => undefined,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return bucket
}

async function answer(
  bucket: StandInBucket,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await buffer(request)
  const url = new URL(request.url ?? '/', bucket.endpoint)
  const key = decodeURIComponent(url.pathname.replace(/^\/backups\/?/, ''))
  const end = (status: number, content: string | Buffer = '', headers = {}) =>
    void response.writeHead(status, headers).end(content)
  const asked = { method: request.method ?? 'GET', key }
  bucket.asked.push(asked)
  if (bucket.status !== undefined) return end(bucket.status)
  const fault = bucket.fault(asked)
  if (fault !== undefined) return fail(bucket, key, fault, response)
  if (!url.pathname.startsWith('/backups')) return end(404)
  if (request.method === 'HEAD') return end(200)
  if (request.method === 'PUT') {
    bucket.objects.set(key, { bytes: body, sha256: String(request.headers['x-amz-meta-sha256']) })
    return end(200, '', { etag: '"1"' })
  }
  if (request.method === 'DELETE') {
    bucket.objects.delete(key)
    return end(204)
  }
  if (url.searchParams.has('uploads'))
    return end(200, '<ListMultipartUploadsResult></ListMultipartUploadsResult>')
  if (key === '')
    return end(200, listing(bucket, url.searchParams.get('prefix') ?? ''), {
      'content-type': 'application/xml',
    })
  const found = bucket.objects.get(key)
  if (found === undefined) return end(404)
  end(200, found.bytes, { 'x-amz-meta-sha256': found.sha256 })
}

function fail(bucket: StandInBucket, key: string, fault: Fault, response: ServerResponse): void {
  if (fault === 'silent') return
  if (fault === 'closed') return void response.destroy()
  if (fault === 'half') {
    const { bytes, sha256 } = bucket.objects.get(key) ?? { bytes: Buffer.alloc(2), sha256: '' }
    response.writeHead(200, { 'content-length': bytes.length, 'x-amz-meta-sha256': sha256 })
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
    return
  }
  const { status, body } = typeof fault === 'number' ? { status: fault, body: '' } : fault
  response.writeHead(status, body === '' ? {} : { 'content-type': 'application/xml' }).end(body)
}

const listing = ({ objects }: StandInBucket, prefix: string) =>
  `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${[...objects]
    .filter(([key]) => key.startsWith(prefix))
    .map(
      ([key, { bytes }]) =>
        `<Contents><Key>${key}</Key><Size>${bytes.length}</Size><LastModified>2026-11-28T00:00:00.000Z</LastModified><ETag>"1"</ETag><StorageClass>STANDARD</StorageClass></Contents>`,
    )
    .join('')}</ListBucketResult>`
