import Type from 'typebox'
import { key } from '../../core/guard.ts'
import { local } from '../../core/endpoint.ts'
import { StoreFailed } from '../../core/problem.ts'
import { bytes, data, rpc, succeeded } from '../../core/reply.ts'
import { loadUser } from '../users/index.ts'
import { admitKey, answerMessage } from './admit.ts'
import { downloadCertificate, regenerateCertificate, showCertificate } from './certificate.ts'
import { type Context, endpoint } from './context.ts'
import * as keys from './keys.ts'
import {
  McpKey,
  McpKeyDraft,
  McpKeyPath,
  NewMcpKey,
  PanelCertificate,
  Regeneration,
  RpcQuery,
  RpcReply,
  RpcRequest,
  Scope,
} from './model.ts'
import { CertificateNotMade, CertificateUnreadable } from './problems.ts'

const MiB = 1024 * 1024

export const answerAgent = endpoint({
  method: 'POST',
  base: '/mcp',
  path: '',
  summary: 'Answer one JSON-RPC message of an agent (Model Context Protocol)',
  description:
    'Tools call endpoints of the panel with the rights of the key: initialize, ping, tools/list, tools/call, notifications/initialized and notifications/cancelled. There are no sessions.',
  effect: 'reads',
  guard: key<Context>('Authorization', ({ mcp }, sent) => admitKey(mcp, sent), { orQuery: 'token' }),
  query: RpcQuery,
  body: RpcRequest,
  reply: rpc(RpcReply),
  bodyBytes: 8 * MiB,
  timeoutMs: 100_000,
  run: ({ mcp, body, ...request }) => answerMessage(mcp, body, request),
})

const thisPanel = local('a key is for one panel')

export const listKeys = endpoint({
  method: 'GET',
  path: '',
  summary: 'List the MCP keys of all owners, newest first',
  effect: 'reads',
  reply: data(Type.Array(McpKey, { maxItems: 100_000 })),
  throws: { list_failed: StoreFailed },
  run: ({ mcp }) => keys.listKeys(mcp),
})

export const createKey = endpoint({
  method: 'POST',
  path: '',
  summary: 'Create an MCP key; it is shown only in this reply',
  description:
    'With the key an agent calls the panel at /api/mcp. It never may more than its owner may at the moment; scopes and read_only limit it further.',
  effect: 'changes',
  changesAccess: true,
  category: thisPanel,
  action: 'mcp_key_created',
  body: McpKeyDraft,
  reply: data(NewMcpKey),
  target: ({ mcp, body }) => loadUser(mcp.users, body.user_id),
  throws: { create_failed: StoreFailed },
  run: ({ target, body, ...request }) => keys.createKey(target, body, request),
})

export const listScopes = endpoint({
  method: 'GET',
  path: '/scopes',
  summary: 'List the scopes that an MCP key may be limited to',
  effect: 'reads',
  reply: data(Type.Array(Scope, { maxItems: 100 })),
  run: keys.listScopes,
})

interface OfKey {
  readonly params: { readonly id: number }
}

const onKey = endpoint.with({
  category: thisPanel,
  params: McpKeyPath,
  target: ({ mcp, params }: Context & OfKey) => mcp.queries.load(params.id),
})

export const toggleKey = onKey({
  method: 'POST',
  path: '/{id}/toggle',
  summary: 'Disable an enabled MCP key, or enable a disabled one',
  effect: 'changes',
  changesAccess: true,
  reply: succeeded,
  run: ({ target }) => keys.toggleKey(target),
})

export const deleteKey = onKey({
  method: 'DELETE',
  path: '/{id}',
  summary: 'Delete an MCP key: calls with it end',
  effect: 'destroys',
  reply: succeeded,
  run: ({ target }) => keys.deleteKey(target),
})

export const getCertificate = endpoint({
  method: 'GET',
  path: '/tls',
  summary: "Read the panel's own TLS certificate",
  effect: 'reads',
  reply: data(PanelCertificate),
  throws: { read_failed: CertificateUnreadable },
  run: ({ mcp }) => showCertificate(mcp.certificate),
})

export const getCertificateFile = endpoint({
  method: 'GET',
  path: '/tls/download',
  summary: "Download the panel's own TLS certificate, for clients that are to trust it",
  effect: 'reads',
  reply: bytes('application/x-pem-file'),
  run: ({ mcp }) => downloadCertificate(mcp.certificate),
})

export const createCertificate = endpoint({
  method: 'POST',
  path: '/tls/regenerate',
  summary: "Replace the panel's own TLS certificate by a new self-signed one",
  description:
    'It is valid for the names and addresses that the host has now. The key pair stays unless new_key is true. Open connections continue; new ones get the new certificate.',
  effect: 'changes',
  category: local('each panel has a certificate of its own'),
  body: Regeneration,
  reply: succeeded,
  throws: { regenerate_failed: CertificateNotMade },
  run: ({ mcp, body, now }) => regenerateCertificate(mcp.certificate, body.new_key, now),
})
