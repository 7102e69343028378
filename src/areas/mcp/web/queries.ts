import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
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

/** Reads the keys and the certificate again. */
export const readKeysAgain = () => readAgain('mcp-keys')
