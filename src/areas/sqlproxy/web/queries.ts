import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { sqlproxy } from './api.ts'

/** GET /sqlproxy/status */
export const useStatus = () =>
  useQuery({
    queryKey: ['sqlproxy', 'status'],
    queryFn: ({ signal }) => run(sqlproxy.readSqlproxyStatus(), signal),
    refetchInterval: 10_000,
  })

/** GET /sqlproxy/backends */
export const useBackends = () =>
  useQuery({
    queryKey: ['sqlproxy', 'backends'],
    queryFn: ({ signal }) => run(sqlproxy.listSqlBackends(), signal),
    refetchInterval: 10_000,
  })

/** GET /sqlproxy/query-rules */
export const useRules = () =>
  useQuery({
    queryKey: ['sqlproxy', 'query-rules'],
    queryFn: ({ signal }) => run(sqlproxy.listQueryRules(), signal),
  })

/** GET /sqlproxy/stats */
export const useStats = () =>
  useQuery({
    queryKey: ['sqlproxy', 'stats'],
    queryFn: ({ signal }) => run(sqlproxy.readSqlproxyStats(), signal),
    refetchInterval: 10_000,
  })

/** GET /sqlproxy/keepalived/status */
export const useKeepalived = () =>
  useQuery({
    queryKey: ['sqlproxy', 'keepalived'],
    queryFn: ({ signal }) => run(sqlproxy.readKeepalivedStatus(), signal),
    refetchInterval: 10_000,
  })
