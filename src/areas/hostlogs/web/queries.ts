import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import type { SshAuditQuery } from '../model.ts'
import { hostlogs } from './api.ts'

/** GET /settings/remote-logging */
export const useRemoteLogging = () =>
  useQuery({
    queryKey: ['hostlogs', 'remote'],
    queryFn: ({ signal }) => run(hostlogs.readRemoteLogging(), signal),
  })

/** GET /settings/ssh-audit/status */
export const useSshAudit = () =>
  useQuery({
    queryKey: ['hostlogs', 'audit'],
    queryFn: ({ signal }) => run(hostlogs.readSshAudit(), signal),
  })

/** GET /settings/ssh-audit/logs */
export const useSshAuditLogs = (query: Partial<SshAuditQuery>) =>
  useQuery({
    queryKey: ['hostlogs', 'audit-logs', query],
    queryFn: ({ signal }) => run(hostlogs.readSshAuditLogs({ query }), signal),
  })
