import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { selfupdate } from './api.ts'

/** GET /system/selfupdate */
export const useSelfUpdate = () =>
  useQuery({
    queryKey: ['selfupdate'],
    queryFn: ({ signal }) => run(selfupdate.readSelfUpdate(), signal),
    refetchInterval: 10_000, // the result comes after a restart of the panel
  })
