import { isUtf8 } from 'node:buffer'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  BadRequest,
  Busy,
  PayloadTooLarge,
  RequestTimeout,
  Unavailable,
  retryAfter,
} from '../../core/problem.ts'
import type { BodyMemory, KeptBody } from './body-memory.ts'

/** Limits of one body that is read into memory. */
export interface BodyLimits {
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly memory: BodyMemory
}

interface Exchange {
  readonly raw: FastifyRequest['raw']
  readonly response: FastifyReply['raw']
}

/**
 * Reads the text of a body; undefined if none is sent. A body that is too large, too slow or incomplete is a
 * problem.
 */
export function readBody(exchange: Exchange, limits: BodyLimits): Promise<string> | undefined {
  const { raw } = exchange
  const { 'content-length': length, 'transfer-encoding': encoding } = raw.headers
  if (encoding === undefined && (length === undefined || length === '0')) return undefined
  if (Number(length) > limits.maxBytes) return Promise.reject(tooLarge(limits))
  if (raw.destroyed) return Promise.reject(callerLeft())
  return new Promise((resolve, reject) => new ArrivingBody(exchange, limits, { resolve, reject }))
}

interface Outcome {
  readonly resolve: (text: string) => void
  readonly reject: (problem: Error) => void
}

/**
 * Collects the chunks of one body in one buffer: many small chunks would take more memory than their bytes.
 */
class ArrivingBody {
  readonly #raw: Exchange['raw']
  readonly #limits: BodyLimits
  readonly #outcome: Outcome
  readonly #kept: KeptBody
  readonly #timer: NodeJS.Timeout
  #buffer: Buffer = nothing
  #length = 0

  constructor({ raw, response }: Exchange, limits: BodyLimits, outcome: Outcome) {
    this.#raw = raw
    this.#limits = limits
    this.#outcome = outcome
    this.#kept = limits.memory.open(() => this.#fail(memoryFull()))
    this.#timer = setTimeout(() => this.#fail(tooLate(limits)), limits.timeoutMs)
    response.once('close', () => limits.memory.release(this.#kept))
    for (const [event, listener] of this.#listeners) raw.on(event, listener)
  }

  readonly #take = (chunk: Buffer): void => {
    const neededBytes = this.#length + chunk.length
    if (neededBytes > this.#limits.maxBytes) return this.#fail(tooLarge(this.#limits))
    if (this.#length === 0 ? !this.#keepWhole(chunk) : !this.#append(chunk)) return this.#fail(memoryFull())
    this.#length = neededBytes
  }

  #keepWhole(chunk: Buffer): boolean {
    if (!this.#limits.memory.grow(this.#kept, chunk.length)) return false
    this.#buffer = chunk
    return true
  }

  #append(chunk: Buffer): boolean {
    const neededBytes = this.#length + chunk.length
    if (neededBytes > this.#buffer.length && !this.#enlarge(neededBytes)) return false
    chunk.copy(this.#buffer, this.#length)
    return true
  }

  #enlarge(neededBytes: number): boolean {
    const { maxBytes, memory } = this.#limits
    const capacity = Math.min(maxBytes, Math.max(neededBytes, 2 * this.#buffer.length))
    if (!memory.grow(this.#kept, capacity - this.#buffer.length)) return false
    const larger = Buffer.allocUnsafeSlow(capacity)
    this.#buffer.copy(larger, 0, 0, this.#length)
    this.#buffer = larger
    return true
  }

  readonly #finish = (): void => {
    this.#stop()
    const bytes = this.#buffer.subarray(0, this.#length)
    if (!isUtf8(bytes)) return this.#fail(BadRequest('body: must be UTF-8'))
    this.#limits.memory.complete(this.#kept)
    this.#outcome.resolve(bytes.toString('utf8'))
  }

  readonly #leave = (): void => this.#fail(callerLeft())

  /** Bytes that still arrive are dropped, as nothing listens. */
  #fail(problem: Error): void {
    this.#stop()
    this.#limits.memory.release(this.#kept)
    this.#buffer = nothing
    this.#outcome.reject(problem)
  }

  readonly #listeners = [
    ['data', this.#take],
    ['end', this.#finish],
    ['close', this.#leave],
    ['error', this.#leave],
  ] as const

  #stop(): void {
    clearTimeout(this.#timer)
    for (const [event, listener] of this.#listeners) this.#raw.off(event, listener)
  }
}

const nothing = Buffer.alloc(0)

function tooLarge({ maxBytes }: BodyLimits): Error {
  return PayloadTooLarge(`body: must be at most ${maxBytes} bytes`)
}

function tooLate({ timeoutMs }: BodyLimits): Error {
  return RequestTimeout(`body: must arrive within ${timeoutMs / 1000} s`)
}

function memoryFull(): Error {
  return Busy('Too many request bodies arrive at once: try again', retryAfter(1))
}

function callerLeft(): Error {
  return Unavailable('The caller went away')
}
