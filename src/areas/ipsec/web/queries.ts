import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import { textOf } from '../../../web/wire.ts'
import type { Tunnel } from '../model.ts'
import { ipsec } from './api.ts'

const refetchInterval = 5000

/** GET /vpn-gateway/ipsec/status */
export const useStatus = () =>
  useQuery({
    queryKey: ['ipsec', 'status'],
    queryFn: ({ signal }) => run(ipsec.readStatus(), signal),
    refetchInterval,
  })

/** GET /vpn-gateway/ipsec/; polled for what passes. */
export const useTunnels = () =>
  useQuery({
    queryKey: ['ipsec', 'tunnels'],
    queryFn: ({ signal }) => run(ipsec.listTunnels(), signal),
    refetchInterval,
  })

/** GET /vpn-gateway/ipsec/local-ip, for the form of a new tunnel. */
export const useLocalAddress = () =>
  useQuery({
    queryKey: ['ipsec', 'local-ip'],
    queryFn: ({ signal }) => run(ipsec.readLocalAddress(), signal),
    retry: false,
  })

/** POST /vpn-gateway/ipsec/{id}/restart */
export const useRestart = () =>
  useMutation({
    mutationFn: ({ id }: Tunnel) => run(ipsec.restartTunnel({ params: { id } })),
    onSuccess: (_reply, { name }) => notify(`${name} was negotiated anew.`),
    onError: (error) => notify(textOf(error), true),
    onSettled: () => readAgain('ipsec'),
  })

/** Closes a dialog, tells that its change was made, and reads the tunnels again. */
export async function done(close: () => void, message: string): Promise<void> {
  close()
  notify(message)
  await readAgain('ipsec')
}
