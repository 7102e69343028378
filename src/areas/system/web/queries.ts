import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { system } from './api.ts'

/** GET /system/info, again every ten seconds while it is looked at. */
export const useSystemInfo = () =>
  useQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => run(system.getInfo(), signal),
    refetchInterval: 10_000,
  })
