import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { nettools } from './api.ts'

/** The tools that take a host. */
export const probes = ['ping', 'traceroute', 'httping'] as const
export type Probe = (typeof probes)[number]

const outputOf: Readonly<Record<Probe, (host: string) => Promise<string>>> = {
  ping: async (host) => (await run(nettools.ping({ body: { host } }))).raw,
  traceroute: async (host) => (await run(nettools.traceroute({ body: { host } }))).raw,
  httping: async (host) => (await run(nettools.httping({ body: { host } }))).lines.join('\n'),
}

/** POST /nettools/ping, /traceroute, /httping */
export const useProbe = () =>
  useMutation({
    mutationFn: ({ probe, host }: { readonly probe: Probe; readonly host: string }) => outputOf[probe](host),
  })

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
