import Type from 'typebox'
import { key } from '../../core/guard.ts'
import { local } from '../../core/endpoint.ts'
import { StoreFailed } from '../../core/problem.ts'
import { bytes, data, enqueued, list, rpc, succeeded } from '../../core/reply.ts'
import { admitKey, answerMessage } from './admit.ts'
import * as approvals from './approvals.ts'
import { downloadCertificate, regenerateCertificate, showCertificate } from './certificate.ts'
import { type Context, endpoint } from './context.ts'
import * as keys from './keys.ts'
import {
  Approval,
  ApprovalDetails,
  ApprovalPath,
  ApprovalQuery,
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
import { CertificateNotMade, CertificateUnreadable, KeyEnded, PlanDecided, PlanExpired } from './problems.ts'

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
  run: ({ mcp, now }) => keys.listKeys(mcp, now),
})

export const createKey = endpoint({
  method: 'POST',
  path: '',
  summary: 'Create an MCP key; it is shown only in this reply',
  description:
    'With the key an agent calls the panel at /api/mcp. It never may more than its owner may at the moment; scopes, read_only and the budget limit it further. With approve, each change waits for a person.',
  effect: 'changes',
  changesAccess: true,
  category: thisPanel,
  action: 'mcp_key_created',
  body: McpKeyDraft,
  reply: data(NewMcpKey),
  target: ({ mcp, body }) => keys.loadOwner(mcp, body.user_id),
  throws: { create_failed: StoreFailed },
  run: ({ mcp, target, body, ...request }) => keys.createKey(mcp, { owner: target, draft: body }, request),
})

export const listScopes = endpoint({
  method: 'GET',
  path: '/scopes',
  summary: 'List the scopes that an MCP key may be limited to',
  effect: 'reads',
  reply: data(Type.Array(Scope, { maxItems: 100 })),
  run: keys.listScopes,
})

interface OfRow {
  readonly params: { readonly id: number }
}

const onKey = endpoint.with({
  category: thisPanel,
  params: McpKeyPath,
  target: ({ mcp, params }: Context & OfRow) => mcp.queries.load(params.id),
})

const onApproval = endpoint.with({
  params: ApprovalPath,
  target: ({ mcp, params }: Context & OfRow) => mcp.approvals.load(params.id),
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

export const listApprovals = endpoint({
  method: 'GET',
  path: '/approvals',
  summary: 'List the changes that agents asked for and a person approves',
  effect: 'reads',
  query: ApprovalQuery,
  reply: list(Approval, { sort: ['-created_at', 'expires_at'], search: ['path', 'summary'] }),
  run: ({ mcp, ...asked }) => approvals.listApprovals(mcp, asked),
})

export const getApproval = onApproval({
  method: 'GET',
  path: '/approvals/{id}',
  summary: 'Read a change that an agent asked for, with its plan',
  effect: 'reads',
  reply: data(ApprovalDetails),
  run: ({ mcp, target, now }) => approvals.showDetails(mcp, target, now),
})

export const approvePlan = onApproval({
  method: 'POST',
  path: '/approvals/{id}/approve',
  summary: 'Approve a change of an agent: exactly its plan is carried out, once',
  description:
    'The change is planned again first: if the plan is not the same any more, it is 409 plan_stale, and the agent has to ask again. A job carries it out in the name of the owner of the key.',
  effect: 'changes',
  changesAccess: true,
  category: thisPanel,
  reply: enqueued,
  throws: { already_decided: PlanDecided, plan_expired: PlanExpired, key_ended: KeyEnded },
  run: ({ mcp, target, ...request }) => approvals.approvePlan(mcp, target, request),
})

export const rejectPlan = onApproval({
  method: 'POST',
  path: '/approvals/{id}/reject',
  summary: 'Reject a change of an agent: it is never carried out',
  effect: 'changes',
  changesAccess: true,
  category: thisPanel,
  reply: succeeded,
  throws: { already_decided: PlanDecided, plan_expired: PlanExpired },
  run: ({ target, ...request }) => approvals.rejectPlan(target, request),
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
