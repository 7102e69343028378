import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import type { Field } from '../model.ts'
import { nettools } from './api.ts'

/** POST /nettools/portcheck */
export const usePortCheck = () =>
  useMutation({
    mutationFn: (body: { readonly host: string; readonly port: number }) => run(nettools.portcheck({ body })),
  })

/** GET /nettools/history/{field} */
export const useEntries = (field: Field) =>
  useQuery({
    queryKey: ['nettools-history', field],
    queryFn: ({ signal }) => run(nettools.listEntries({ params: { field } }), signal),
  })

interface Typed {
  readonly field: Field
  readonly value: string
}

/** POST /nettools/history/{field} */
export const useRemember = () =>
  useMutation({
    mutationFn: ({ field, value }: Typed) => run(nettools.addEntry({ params: { field }, body: { value } })),
    onSettled: () => readAgain('nettools-history'),
  })

/** DELETE /nettools/history/{field} */
export const useClearEntries = () =>
  useMutation({
    mutationFn: (field: Field) => run(nettools.clearEntries({ params: { field } })),
    onSettled: () => readAgain('nettools-history'),
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
