import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { Query } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { activity } from '../../activity/web/api.ts'
import type { McpKeyDraft } from '../model.ts'
import { mcp } from './api.ts'

/** GET /mcp-keys */
export const useMcpKeys = () =>
  useQuery({ queryKey: ['mcp-keys'], queryFn: ({ signal }) => run(mcp.listKeys(), signal) })

/** GET /mcp-keys/scopes */
export const useScopes = () =>
  useQuery({ queryKey: ['mcp-keys', 'scopes'], queryFn: ({ signal }) => run(mcp.listScopes(), signal) })

/** GET /mcp-keys/tls */
export const useCertificate = () =>
  useQuery({
    queryKey: ['mcp-keys', 'tls'],
    queryFn: ({ signal }) => run(mcp.getCertificate(), signal),
    retry: false,
  })

/** POST /mcp-keys; the answer is kept nowhere, as it contains the key. */
export const useCreateKey = () =>
  useMutation({
    mutationFn: (draft: McpKeyDraft) => run(mcp.createKey({ body: draft })),
    gcTime: 0,
    onSuccess: () => readAgain('mcp-keys'),
  })

/** POST /mcp-keys/{id}/toggle */
export const useToggleKey = () =>
  useMutation({
    mutationFn: (id: number) => run(mcp.toggleKey({ params: { id } })),
    onSettled: () => readAgain('mcp-keys'),
  })

/** GET /activity: the newest calls and changes with a key */
export const useRecentCalls = (id: number) =>
  useQuery({
    queryKey: ['mcp-keys', 'calls', id],
    queryFn: async ({ signal }) => {
      const query = { mcp_key_id: id, limit: 20 }
      return (await run(activity.listActivity({ query }), signal)).items
    },
  })

const everyMs = 5000

/** GET /mcp-keys/approvals, polled for what agents ask meanwhile. */
export const useApprovals = (asked: Query) =>
  useQuery({
    queryKey: ['mcp-keys', 'approvals', asked],
    queryFn: ({ signal }) => run(mcp.listApprovals({ query: asked }), signal),
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  })

/** GET /mcp-keys/approvals/{id} */
export const useApproval = (id: number) =>
  useQuery({
    queryKey: ['mcp-keys', 'approval', id],
    queryFn: ({ signal }) => run(mcp.getApproval({ params: { id } }), signal),
  })

/** POST /mcp-keys/approvals/{id}/approve and reject */
export const useDecision = (id: number, onDone: (isApproved: boolean) => void) =>
  useMutation({
    mutationFn: async (isApproved: boolean) => {
      const asked = { params: { id } }
      await (isApproved ? run(mcp.approvePlan(asked)) : run(mcp.rejectPlan(asked)))
      return isApproved
    },
    onSuccess: onDone,
    onSettled: () => readAgain('mcp-keys'),
  })

/** Reads the keys and the certificate again. */
export const readKeysAgain = () => readAgain('mcp-keys')
