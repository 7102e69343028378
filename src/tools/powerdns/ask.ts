import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import { NotServing } from './problems.ts'

/** A question to a DNS server. */
export interface Question {
  readonly server: { readonly address: string; readonly port: number }
  readonly name: string
  readonly type: 'A' | 'AAAA' | 'DS'
  /** The address of a client on whose behalf the server answers (EDNS client subnet, RFC 7871). */
  readonly client?: string
  readonly timeoutMs?: number
}

/** What a DNS server answers. */
export interface Answer {
  /** 0 NOERROR, 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED. */
  readonly code: number
  /** The records of the wanted type: addresses, or the fields of a DS. */
  readonly values: readonly string[]
  /** In seconds; the rest of it where the answer comes from a cache. */
  readonly ttl: number | null
  /** True if the server answers for the zone itself: then the TTL is that of the records. */
  readonly isAuthoritative: boolean
  /** The zone that answers that there are no such records, in lower case and without a final dot; null where it is not told. */
  readonly zone: string | null
}

const typeCodes = { A: 1, AAAA: 28, DS: 43 } as const
const soaCode = 6
const mostBytes = 1232

/** Asks a DNS server once over UDP; fails where it does not answer. */
export async function askDns(question: Question): Promise<Answer> {
  const { server, timeoutMs = 5000 } = question
  const socket = createSocket(server.address.includes(':') ? 'udp6' : 'udp4')
  const id = randomInt(65_536)
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    socket.connect(server.port, server.address)
    await once(socket, 'connect', { signal })
    socket.send(encodeQuestion(id, question))
    for (;;) {
      const [message]: Buffer[] = await once(socket, 'message', { signal })
      if (message !== undefined && message.length >= 12 && message.readUInt16BE(0) === id)
        return decodeAnswer(message, question.type)
    }
  } catch (cause) {
    if (cause instanceof RangeError) throw NotServing('the DNS server sent an answer that cannot be read')
    throw NotServing(`the DNS server at ${server.address}, port ${server.port} did not answer`, { cause })
  } finally {
    socket.close()
  }
}

/** Encodes a question with recursion desired, and EDNS. */
export function encodeQuestion(id: number, { name, type, client }: Question): Buffer {
  const labels = name.replace(/\.$/, '').split('.')
  const subnet = client === undefined ? Buffer.alloc(0) : clientSubnet(client)
  const edns = Buffer.concat([
    Buffer.from([0, 0, 41, mostBytes >> 8, mostBytes & 255, 0, 0, 0, 0]),
    sized(subnet),
  ])
  return Buffer.concat([
    Buffer.from([id >> 8, id & 255, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1]),
    ...labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
    Buffer.from([0, 0, typeCodes[type], 0, 1]),
    edns,
  ])
}

const sized = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])

function clientSubnet(address: string): Buffer {
  const bytes = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address)
  const family = isIPv4(address) ? 1 : 2
  const option = Buffer.concat([Buffer.from([0, family, bytes.length * 8, 0]), bytes])
  return Buffer.concat([Buffer.from([0, 8]), sized(option)])
}

function ipv6Bytes(address: string): Buffer {
  const [before = '', after] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const groups = (text: string | undefined) => (text ? text.split(':') : [])
  const [head, tail] = [groups(before), groups(after)]
  const all = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  return Buffer.from(
    all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]),
  )
}

/** Decodes an answer; a RangeError is one that cannot be read, or that does not contain all records. */
export function decodeAnswer(message: Buffer, type: Question['type']): Answer {
  if ((message.readUInt8(2) & 2) !== 0) throw new RangeError('the answer is truncated')
  const isAuthoritative = (message.readUInt8(2) & 4) !== 0
  const code = message.readUInt8(3) & 15
  const [questions, answers, authorities] = [4, 6, 8].map((at) => message.readUInt16BE(at))
  let start = 12
  for (let count = 0; count < questions!; count++) start = afterName(message, start) + 4
  const records = recordsIn(message, start, answers! + authorities!)
  const found = records.slice(0, answers).filter((record) => record.code === typeCodes[type])
  const soa = records.slice(answers).find((record) => record.code === soaCode)
  return {
    ...{ code, isAuthoritative, ttl: found.at(-1)?.ttl ?? null },
    values: found.map(({ bytes }) => valueOf(bytes, type)),
    zone: soa === undefined ? null : nameAt(message, soa.start),
  }
}

function recordsIn(message: Buffer, first: number, count: number) {
  let start = first
  return Array.from({ length: count }, () => {
    const at = afterName(message, start)
    const size = message.readUInt16BE(at + 8)
    const bytes = message.subarray(at + 10, at + 10 + size)
    if (bytes.length < size) throw new RangeError('the message ends early')
    const record = { start, code: message.readUInt16BE(at), ttl: message.readUInt32BE(at + 4), bytes }
    start = at + 10 + size
    return record
  })
}

/** A name has at most 127 labels, and as many pointers. */
const mostParts = 256

function nameAt(message: Buffer, start: number): string {
  const labels: string[] = []
  let at = start
  for (let part = 0; part < mostParts; part += 1) {
    const length = message.readUInt8(at)
    if (length === 0) return labels.join('.').toLowerCase()
    if (length >= 192) at = message.readUInt16BE(at) & 0x3fff
    else {
      labels.push(message.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
  }
  throw new RangeError('a name refers to itself')
}

function afterName(message: Buffer, start: number): number {
  let at = start
  for (;;) {
    const length = message.readUInt8(at)
    if (length >= 192) return at + 2
    if (length === 0) return at + 1
    at += length + 1
  }
}

function valueOf(bytes: Buffer, type: Question['type']): string {
  if (type === 'A') return [...bytes].join('.')
  if (type === 'DS')
    return `${bytes.readUInt16BE(0)} ${bytes.readUInt8(2)} ${bytes.readUInt8(3)} ${bytes.subarray(4).toString('hex')}`
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16))
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1)
}
