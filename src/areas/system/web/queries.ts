import { useQuery } from '@tanstack/react-query'
import { read } from '../../../web/client.ts'
import type { SystemInfo } from '../model.ts'

/** GET /system/info, again every ten seconds while it is looked at. */
export const useSystemInfo = () =>
  useQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => read<SystemInfo>('/system/info', {}, signal),
    refetchInterval: 10_000,
  })
