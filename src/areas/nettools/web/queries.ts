import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { nettools } from './api.ts'

/** POST /nettools/portcheck */
export const usePortCheck = () =>
  useMutation({
    mutationFn: (body: { readonly host: string; readonly port: number }) => run(nettools.portcheck({ body })),
  })

/** GET /nettools/interfaces */
export const useInterfaces = () =>
  useQuery({
    queryKey: ['nettools', 'interfaces'],
    queryFn: ({ signal }) => run(nettools.listInterfaces(), signal),
  })

/** POST /nettools/capture/start */
export const useStartCapture = () =>
  useMutation({
    mutationFn: (body: { readonly interface: string; readonly filter: string }) =>
      run(nettools.startCapture({ body })),
  })

/** POST /nettools/capture/{id}/stop */
export const useStopCapture = () =>
  useMutation({ mutationFn: (id: string) => run(nettools.stopCapture({ params: { id } })) })

/** GET /nettools/capture/{id}/status and /packets, polled while it runs. */
export const useCapture = (id: string | undefined) =>
  useQuery({
    queryKey: ['nettools', 'capture', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const params = { id: id ?? '' }
      const status = await run(nettools.captureStatus({ params }), signal)
      return { ...status, packets: await run(nettools.listPackets({ params }), signal) }
    },
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 1000 : false),
  })
