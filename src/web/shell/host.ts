import { useQuery } from '@tanstack/react-query'
import { system } from '../../areas/system/web/api.ts'
import { run } from '../client.ts'

/** GET /system/info, read once: the host and the user of the panel do not change while it runs. */
export const useHost = () =>
  useQuery({
    queryKey: ['host'],
    queryFn: ({ signal }) => run(system.getInfo(), signal),
    staleTime: Infinity,
  })
