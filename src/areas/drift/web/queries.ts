import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import type { DriftQuery } from '../model.ts'
import { drift } from './api.ts'

/** GET /drift */
export const useDrift = (query: DriftQuery) =>
  useQuery({
    queryKey: ['drift', query],
    queryFn: ({ signal }) => run(drift.getDrift({ query }), signal),
  })
