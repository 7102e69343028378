import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import secureJson from 'secure-json-parse'
import { BadRequest } from '../../core/problem.ts'
import type { Route } from '../routes.ts'
import type { Intake } from './intake.ts'
import { drainBodies } from './linger.ts'
import { readBody } from './read-body.ts'

const maxDepth = 64

const defaultBodyBytes = 1024 * 1024
const openBodyBytes = 16 * 1024

/**
 * Leaves bodies unread: an endpoint that declares one reads it after the guard, and the rest is drained at
 * the end.
 */
export function leaveBodies(app: FastifyInstance, { lingerMs }: Intake): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  drainBodies(app, lingerMs)
}

/**
 * Reads the body of an endpoint as text, whatever its Content-Type (decision 1.4); at most 16 KiB from
 * unknown callers.
 */
export function bodyReader({ endpoint, guard }: Route, intake: Intake) {
  const isOpen = guard.kind === 'open'
  const limits = {
    maxBytes: Math.min(endpoint.bodyBytes ?? defaultBodyBytes, isOpen ? openBodyBytes : Infinity),
    timeoutMs: intake.timeoutMs,
    memory: isOpen ? intake.openMemory : intake.memory,
  }
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.body = await readBody({ raw: request.raw, response: reply.raw }, limits)
  }
}

/** The JSON value of a body. A missing one counts as `{}`. */
export function parseBody(text: unknown, isLenient: boolean): unknown {
  if (text === undefined || text === null || text === '') return {}
  if (typeof text !== 'string') return isLenient ? {} : refuse('body: must be JSON')
  try {
    if (text.length > maxDepth * 2 && isTooDeep(text))
      throw BadRequest(`body: must not be nested deeper than ${maxDepth} levels`)
    const value: unknown = secureJson.parse(text, null, {
      protoAction: 'remove',
      constructorAction: 'remove',
    })
    if (/\\ud[89a-f]/i.test(text) && !isWellFormed(value))
      throw BadRequest('body: must not contain half of a surrogate pair')
    return value
  } catch (error) {
    if (isLenient) return {}
    if (error instanceof SyntaxError) throw BadRequest(`body: must be JSON (${error.message.slice(0, 200)})`)
    throw error
  }
}

/** True if every string, field names included, is Unicode that UTF-8 can represent. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, part]) => name.isWellFormed() && isWellFormed(part))
}

function refuse(message: string): never {
  throw BadRequest(message)
}

/**
 * Counts brackets outside strings, so that deep nesting never reaches the recursion of the parser or the
 * checker.
 */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0, isQuoted = false; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isQuoted) {
      if (code === 0x5c) at += 1
      else if (code === 0x22) isQuoted = false
    } else if (code === 0x22) isQuoted = true
    else if (code === 0x5b || code === 0x7b) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth -= 1
  }
  return false
}
