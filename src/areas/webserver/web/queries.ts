import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { webserver } from './api.ts'

/** GET /settings/webserver */
export const useWebServers = () =>
  useQuery({
    queryKey: ['webserver'],
    queryFn: ({ signal }) => run(webserver.readWebServers(), signal),
  })
