import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import Type from 'typebox'
import { type Binder, binder, type Bound, textBinder } from '../../core/bind.ts'
import type { Endpoint, UploadBody } from '../../core/endpoint.ts'
import { BadRequest, Problem } from '../../core/problem.ts'
import { listParameters } from '../../core/reply.ts'
import type { Route } from '../routes.ts'
import { parseBody } from './body.ts'
import { invalidOf } from './errors.ts'
import type { Intake } from './intake.ts'
import { type Allowed, notAllowed } from './paths.ts'
import type { Scope } from './scope.ts'
import { openUpload } from './upload.ts'

/** The parts that all routes share to read their input. */
export interface InputParts {
  readonly intake: Intake
  /** The methods that the document has for a path. */
  readonly methodsOf: (path: string) => Allowed
}

/**
 * Reads path, query and body into the scope. Synchronous except for uploads, as most requests never wait
 * here.
 */
export function inputBinder({ endpoint }: Route, { intake, methodsOf }: InputParts) {
  const params = endpoint.params && textBinder(endpoint.params, 'path')
  const query = queryBinder(endpoint.query, endpoint.reply.list && listParameters(endpoint.reply.list))
  const body = endpoint.body
  const isUpload = body !== undefined && 'kind' in body && body.kind === 'upload'
  const bindBody = body !== undefined && !isUpload ? binder(body as TSchema, 'body') : undefined
  return (request: FastifyRequest, scope: Scope): void | Promise<void> => {
    if (params) scope.params = paramsOf(params(request.params), request, methodsOf)
    if (query) scope.query = valueOf(query(request.query))
    if (bindBody) scope.body = bodyOf(endpoint, bindBody, request.body)
    if (!isUpload) return
    return openUpload(request, body as UploadBody, intake).then((upload) => void (scope.body = upload))
  }
}

/**
 * Returns the bound parameters of a path. `permission-slugs` is no id: its path has other methods, and the
 * refusal names them.
 */
function paramsOf(
  bound: Bound,
  { method, url }: FastifyRequest,
  methodsOf: InputParts['methodsOf'],
): unknown {
  if (bound.issue === undefined) return bound.value
  const { methods } = methodsOf(url.split('?')[0] as string)
  if (!methods.includes(method)) throw notAllowed(methods)
  throw BadRequest(bound.issue)
}

function queryBinder(own: TSchema | undefined, listing: Record<string, TSchema> | undefined) {
  if (own === undefined && listing === undefined) return undefined
  const properties = {
    ...(own as { properties?: Record<string, TSchema> } | undefined)?.properties,
    ...listing,
  }
  return textBinder(Type.Object(properties), 'query')
}

/** Returns the bound body; one that does not bind is refused with the endpoint's own code if it has one. */
function bodyOf(endpoint: Endpoint, bind: Binder, text: unknown): unknown {
  try {
    if (endpoint.reply.kind === 'rpc' && !text) throw BadRequest('body: must be a JSON object')
    const bound = bind(parseBody(text, endpoint.isLenient ?? false))
    return valueOf(endpoint.isLenient && bound.issue !== undefined ? bind({}) : bound)
  } catch (error) {
    if (error instanceof Problem && error.kind === BadRequest) throw invalidOf(endpoint)(error.message)
    throw error
  }
}

function valueOf(bound: Bound): unknown {
  if (bound.issue !== undefined) throw BadRequest(bound.issue)
  return bound.value
}
