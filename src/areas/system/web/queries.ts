import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { system } from './api.ts'

export type { SystemInfo } from '../model.ts'

/** GET /system/info, polled every ten seconds while the page is visible. */
export const useSystemInfo = () =>
  useQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => run(system.getInfo(), signal),
    refetchInterval: 10_000,
  })
