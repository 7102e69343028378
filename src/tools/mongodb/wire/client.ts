import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { connectProblems } from '../../../host/connect/index.ts'
import { CommandRefused } from '../problems.ts'
import { type BsonDocument, decodeBson, encodeBson } from './bson.ts'
import { beginScram, type Credentials } from './scram.ts'

const { NotAnswering } = connectProblems

/** A connection to a document database server. */
export interface DocumentConnection {
  /** Runs one command on a database, and returns its reply; throws what the server refuses. */
  run(database: string, command: BsonDocument): Promise<BsonDocument>
}

/** Where a server listens, and as whom the panel asks. */
interface DocumentTarget {
  readonly port: () => Promise<number>
  /** Undefined where the server asks for none. */
  readonly credentials: () => Promise<Credentials | undefined>
  /** Of a command, with its connection. Default 30 s. */
  readonly timeoutMs?: number
}

const opMsg = 2013
const headerBytes = 16
/** The longest message that a server sends: maxMessageSizeBytes. */
const mostBytes = 48_000_000
const name = 'MongoDB'

/** Connects to a server of this host. Each command has a connection of its own, with the sign-in before it. */
export function connectDocuments(target: DocumentTarget): DocumentConnection {
  return { run: (database, command) => runOn(target, database, command) }
}

async function runOn(
  { port, credentials, timeoutMs = 30_000 }: DocumentTarget,
  database: string,
  command: BsonDocument,
): Promise<BsonDocument> {
  const signal = AbortSignal.timeout(timeoutMs)
  const account = await credentials()
  const socket = connect({ host: '127.0.0.1', port: await port() })
  socket.on('error', () => {}) // the exchange that it ends fails with it
  const onAbort = () => socket.destroy(new Error(`no answer within ${timeoutMs} ms`))
  signal.addEventListener('abort', onAbort)
  try {
    await once(socket, 'connect')
    if (account !== undefined) await signIn(socket, account)
    return accepted(await exchange(socket, database, command))
  } catch (error) {
    if (signal.aborted) throw NotAnswering(`${name} did not answer within ${timeoutMs} ms`)
    if (isOutage(error)) throw NotAnswering(`${name} cannot be reached: ${error.message}`)
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
    socket.destroy()
  }
}

/** What a socket, a message that is none and a failed sign-in throw; a refusal of the command is a Problem. */
const isOutage = (error: unknown): error is Error =>
  error instanceof RangeError || (error instanceof Error && error.name === 'Error')

async function signIn(socket: Socket, account: Credentials): Promise<void> {
  const { first, answer } = beginScram(account)
  const started = await sasl(socket, { saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: first })
  const { final, assertServer } = await answer(started.payload)
  const { conversationId } = started
  const continued = await sasl(socket, { saslContinue: 1, conversationId, payload: final })
  assertServer(continued.payload)
  if (!continued.isDone) await sasl(socket, { saslContinue: 1, conversationId, payload: new Uint8Array() })
}

async function sasl(socket: Socket, command: BsonDocument) {
  const reply = await exchange(socket, 'admin', command)
  if (reply['ok'] !== 1)
    throw new Error(`the account of the panel cannot sign in: ${String(reply['errmsg'])}`)
  const { payload, conversationId = 1, done } = reply
  if (!(payload instanceof Uint8Array)) throw new RangeError('the sign-in has no payload')
  return { payload: Buffer.from(payload), conversationId, isDone: done === true }
}

const mostMessage = 2000

function accepted(reply: BsonDocument): BsonDocument {
  if (reply['ok'] === 1) return reply
  throw CommandRefused(
    `${name}: ${String(reply['errmsg'] ?? reply['codeName'] ?? 'refused').slice(0, mostMessage)}`,
  )
}

/** Sends a message and reads the one that answers it. */
async function exchange(socket: Socket, database: string, command: BsonDocument): Promise<BsonDocument> {
  const body = encodeBson({ ...command, $db: database })
  const head = Buffer.alloc(headerBytes + 5) // the flags and the kind of the section are zero
  head.writeInt32LE(head.length + body.length, 0)
  head.writeInt32LE(1, 4)
  head.writeInt32LE(opMsg, 12)
  socket.write(Buffer.concat([head, body]))
  const message = await readMessage(socket)
  if (message.readInt32LE(12) !== opMsg || message.readUInt8(headerBytes + 4) !== 0)
    throw new RangeError('the answer is no message of MongoDB')
  return decodeBson(message.subarray(headerBytes + 5))
}

function readMessage(socket: Socket): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  let wanted: number | undefined
  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (wanted === undefined && size >= 4) {
      wanted = Buffer.concat(chunks).readInt32LE(0)
      if (wanted < headerBytes + 10 || wanted > mostBytes)
        return reject(new RangeError('the answer is no message of MongoDB'))
    }
    if (wanted !== undefined && size >= wanted) resolve(Buffer.concat(chunks))
  }
  const onClose = () => reject(new Error('the connection was closed'))
  socket.on('data', onData)
  socket.once('error', reject)
  socket.once('close', onClose)
  return promise.finally(() => {
    socket.off('data', onData)
    socket.off('error', reject)
    socket.off('close', onClose)
  })
}
