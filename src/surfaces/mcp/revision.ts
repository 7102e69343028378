import type { RpcMessage } from '../../core/agent.ts'
import type { RpcHeaders } from '../../core/endpoint.ts'
import { RpcError } from './rpc-error.ts'

/** The revision without a handshake: each request names its version, in its headers too. */
const stateless = '2026-07-28'

/** The revisions of the protocol that are served, newest first. */
export const revisions: readonly string[] = [stateless, '2025-11-25', '2025-06-18']

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

/**
 * True if a request is of the revision 2026-07-28; throws RpcError if its headers do not fit its body, or its revision
 * is none that is served. The header decides, as a request of an earlier revision names no version in its body.
 */
export function isStateless(message: RpcMessage, headers: RpcHeaders): boolean {
  if (message.method === 'initialize') return false // the handshake of earlier revisions
  const meta = fieldsOf(fieldsOf(message.params)['_meta'])
  const version = meta[versionKey]
  if (headers.version === stateless) assertWhole(message, headers, meta)
  else if (message.method !== 'server/discover' && headers.version !== undefined && version !== undefined)
    assertServed(headers.version, version)
  return headers.version === stateless
}

/** Throws unless a request has what the revision requires, and its headers say the same as its body. */
function assertWhole(
  { method, params }: RpcMessage,
  headers: RpcHeaders,
  meta: Readonly<Record<string, unknown>>,
): void {
  const { [versionKey]: version, [capabilitiesKey]: capabilities } = meta
  if (typeof version !== 'string') throw invalid(`params._meta: must name the version as ${versionKey}`)
  if (!isObject(capabilities)) throw invalid(`params._meta: must contain ${capabilitiesKey}, an object`)
  if (version !== stateless) throw mismatch('MCP-Protocol-Version')
  if (headers.method !== method) throw mismatch('Mcp-Method')
  const { name } = fieldsOf(params)
  if (method === 'tools/call' && typeof name === 'string' && decoded(headers.name) !== name)
    throw mismatch('Mcp-Name')
}

function assertServed(header: string, version: unknown): void {
  if (version !== header) throw mismatch('MCP-Protocol-Version')
  if (!revisions.includes(header))
    throw new RpcError(-32022, 'Unsupported protocol version', {
      status: 400,
      data: { supported: revisions, requested: header },
    })
}

const invalid = (text: string) => new RpcError(-32602, text, { status: 400 })

const mismatch = (header: string) =>
  new RpcError(-32020, `${header}: must be sent as a header, with the value that the body has`, {
    status: 400,
  })

/** A name that a header cannot contain as it is is sent as `=?base64?…?=`. */
function decoded(header: string | undefined): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(header ?? '') ?? []
  return base64 === undefined ? header : Buffer.from(base64, 'base64').toString()
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? { ...value } : {})
