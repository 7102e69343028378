import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type S3mini, S3NetworkError, S3ServiceError, type UploadPart } from 's3mini'
import { Problem } from '../../core/problem.ts'
import { bucketUrl, isPlainKey, isPlainPart, urlOf } from './address.ts'
import { ObjectDamaged, ObjectRetained, ObjectStoreFailed } from './problems.ts'
import { requestsOf } from './requests.ts'
import { endUploads } from './uploads.ts'

/** A bucket and the access key for it. */
export interface ObjectStoreSettings {
  readonly endpoint: string
  readonly bucket: string
  readonly accessKey: string
  readonly secretKey: string
  readonly region: string
}

export interface StoredObject {
  readonly key: string
  readonly sizeBytes: number
  readonly modifiedAt: Date
}

/** A bucket of an S3 server. Every method throws ObjectStoreFailed with what the server said. */
export interface ObjectStore {
  /** Reads the head of the bucket. */
  assertBucket(signal: AbortSignal): Promise<void>
  /** Stores a file, in parts where it is large; an upload that fails leaves nothing behind, nor does an earlier one of the key. */
  put(key: string, path: string, signal: AbortSignal): Promise<void>
  /** Fetches an object into a new file; throws ObjectDamaged, and leaves no file, if it is not what was stored. */
  get(key: string, path: string, signal: AbortSignal): Promise<void>
  /** Reads a small object; fails if it is larger. */
  read(key: string, mostBytes: number, signal: AbortSignal): Promise<Buffer>
  /** Lists the objects whose keys begin with a prefix. */
  list(prefix: string, signal: AbortSignal): Promise<readonly StoredObject[]>
  /** Ends the uploads below a prefix that were cut off. A server that does not list them keeps them. */
  endUploads(prefix: string, signal: AbortSignal): Promise<void>
  /** Removes an object; an absent one stays absent. Throws ObjectRetained for one that the server must keep for now. */
  remove(key: string, signal: AbortSignal): Promise<void>
}

/** Limits that tests lower. */
export interface ObjectStoreOptions {
  /** Larger files are sent in parts of this size. */
  readonly partBytes?: number
  /** No request may take longer; by default the limit depends on what is sent. */
  readonly limitMs?: number
}

const defaultPartBytes = 16 * 1024 * 1024
const mostParts = 10_000
const digestHeader = 'x-amz-meta-sha256'
const mediaType = 'application/octet-stream'

/** Opens a bucket. Nothing is sent before one of its methods is called. */
export function openObjectStore(
  settings: ObjectStoreSettings,
  { partBytes = defaultPartBytes, limitMs = Number.MAX_SAFE_INTEGER }: ObjectStoreOptions = {},
): ObjectStore {
  const limited = { ...settings, limitMs }
  const using = <Value>(
    signal: AbortSignal,
    work: (client: S3mini, status: () => number) => Promise<Value>,
  ) => attempt(limited, signal, work)
  const withKey = <Value>(key: string, signal: AbortSignal, work: (client: S3mini) => Promise<Value>) => {
    if (!isPlainKey(key)) throw ObjectStoreFailed(`${key}: . and .. are no parts of a key`)
    return using(signal, work)
  }
  return {
    assertBucket: (signal) =>
      using(signal, async (client, status) => {
        if (await client.bucketExists()) return
        throw ObjectStoreFailed(refusalOf(settings.bucket, status()))
      }),
    put: async (key, path, signal) =>
      withKey(key, signal, (client) => putFile(client, key, path, { partBytes, signal, settings: limited })),
    get: async (key, path, signal) => withKey(key, signal, (client) => getFile(client, key, path, signal)),
    read: async (key, mostBytes, signal) =>
      withKey(key, signal, (client) => readObject(client, key, mostBytes)),
    list: (prefix, signal) => using(signal, (client) => listObjects(client, prefix, settings.bucket)),
    endUploads: (prefix, signal) =>
      using(signal, (client) => endUploads(client, prefix, (key) => key.startsWith(prefix))).catch(() =>
        signal.throwIfAborted(),
      ),
    remove: async (key, signal) => withKey(key, signal, (client) => removeObject(client, key)),
  }
}

function refusalOf(bucket: string, status: number): string {
  if (status === 404) return `there is no bucket ${bucket}`
  if (status === 403) return `the access key or the secret key is wrong, or may not read the bucket ${bucket}`
  return `the server answered ${status} for the bucket ${bucket}`
}

interface LimitedSettings extends ObjectStoreSettings {
  readonly limitMs: number
}

async function attempt<Value>(
  { endpoint, bucket, accessKey, secretKey, region, limitMs }: LimitedSettings,
  signal: AbortSignal,
  work: (client: S3mini, status: () => number) => Promise<Value>,
): Promise<Value> {
  const url = urlOf(endpoint)
  if (url === undefined) throw ObjectStoreFailed('s3_endpoint: is not the address of a server')
  if (bucket === '' || !isPlainPart(bucket)) throw ObjectStoreFailed('s3_bucket: is not the name of a bucket')
  const { S3mini: Client } = await import('s3mini')
  const { fetch, lastStatus } = requestsOf(signal, limitMs)
  try {
    const client = new Client({
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      endpoint: bucketUrl(url, bucket),
      region,
      fetch,
    })
    return await work(client, lastStatus)
  } catch (error) {
    signal.throwIfAborted()
    throw failureOf(error, url.host)
  }
}

function failureOf(error: unknown, host: string): unknown {
  if (error instanceof Problem) return error
  if (error instanceof S3ServiceError)
    return ObjectStoreFailed(`the server answered ${error.status} (${error.serviceCode ?? 'no code'})`)
  if (!(error instanceof Error)) return error
  if (error instanceof S3NetworkError || error instanceof TypeError || isTimeout(error)) {
    const { cause, message } = error
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : message
    return ObjectStoreFailed(`${host} cannot be reached: ${reason}`, { cause: error })
  }
  return error
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

interface Putting {
  readonly partBytes: number
  readonly signal: AbortSignal
  readonly settings: LimitedSettings
}

async function putFile(client: S3mini, key: string, path: string, putting: Putting): Promise<void> {
  const { size } = await stat(path)
  const headers = { [digestHeader]: await digestOf(path, putting.signal) } as const
  const partBytes = Math.max(putting.partBytes, Math.ceil(size / mostParts))
  const file = await open(path)
  try {
    if (size <= partBytes) {
      await client.putObject(key, await readPart(file, 0, size), mediaType, undefined, headers, size)
      return
    }
    await endUploads(client, key, (each) => each === key).catch(() => putting.signal.throwIfAborted())
    const id = await client.getMultipartUploadId(key, mediaType, undefined, headers)
    try {
      const parts: UploadPart[] = []
      for (let from = 0; from < size; from += partBytes) {
        const part = await readPart(file, from, Math.min(partBytes, size - from))
        parts.push(await client.uploadPart(key, id, part, parts.length + 1))
      }
      await client.completeMultipartUpload(key, id, parts)
    } catch (error) {
      await abandon(key, id, putting.settings)
      throw error
    }
  } finally {
    await file.close()
  }
}

const abandonMs = 30_000

/** Parts of an upload that is not completed would be kept, and charged for, where nobody sees them. */
async function abandon(key: string, id: string, settings: LimitedSettings): Promise<void> {
  await attempt(settings, AbortSignal.timeout(abandonMs), (client) =>
    client.abortMultipartUpload(key, id),
  ).catch(() => {}) // the failure of the upload is what is told
}

async function readPart(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const part = Buffer.alloc(length)
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(part, done, length - done, from + done)
    if (bytesRead === 0) throw ObjectStoreFailed('the file became shorter while it was sent')
    done += bytesRead
  }
  return part
}

async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash, { signal })
  return hash.digest('hex')
}

async function getFile(client: S3mini, key: string, path: string, signal: AbortSignal): Promise<void> {
  const response = await client.getObjectResponse(key)
  if (!response?.body) throw ObjectStoreFailed(`there is no object ${key}`)
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  try {
    await pipeline(
      Readable.from(chunksOf(response.body), { objectMode: false }),
      hashed,
      createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
      { signal },
    )
    const expected = response.headers.get(digestHeader)
    if (expected !== null && expected !== hash.digest('hex'))
      throw ObjectDamaged(`the object ${key} is not what was stored: its checksum differs`)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

async function readObject(client: S3mini, key: string, mostBytes: number): Promise<Buffer> {
  const response = await client.getObjectResponse(key)
  if (!response?.body) throw ObjectStoreFailed(`there is no object ${key}`)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunksOf(response.body)) {
    if ((bytes += chunk.length) > mostBytes) throw ObjectDamaged(`the object ${key} is too large`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}

async function removeObject(client: S3mini, key: string): Promise<void> {
  try {
    await client.deleteObject(key)
  } catch (error) {
    if (error instanceof S3ServiceError && isLocked(error))
      throw ObjectRetained(`${key} is under retention`, { cause: error })
    throw error
  }
}

/** Servers have no code of their own for it: AWS and versitygw answer AccessDenied, MinIO InvalidRequest. */
const isLocked = ({ status, body = '' }: S3ServiceError): boolean =>
  status >= 400 && status < 500 && /\b(?:WORM|object[ -]?lock|retention)\b/i.test(body)

async function listObjects(client: S3mini, prefix: string, bucket: string): Promise<readonly StoredObject[]> {
  const found = await client.listObjects('/', prefix)
  if (found === null) throw ObjectStoreFailed(`there is no bucket ${bucket}`)
  return found.map(({ Key, Size, LastModified }) => ({
    key: Key,
    sizeBytes: Number(Size),
    modifiedAt: new Date(LastModified),
  }))
}
