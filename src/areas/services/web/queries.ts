import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { services } from './api.ts'

/** GET /services, polled while the page is visible. */
export const useServices = () =>
  useQuery({
    queryKey: ['services'],
    queryFn: ({ signal }) => run(services.listServices(), signal),
    refetchInterval: 10_000,
  })

/** GET /services/{name}, polled while the page is visible. */
export const useService = (name: string) =>
  useQuery({
    queryKey: ['services', name],
    queryFn: ({ signal }) => run(services.getService({ params: { name } }), signal),
    refetchInterval: 5000,
  })
