import { useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { readAgain } from '../../../web/queries.ts'
import { vpnGateway } from './api.ts'

const liveMs = 10_000
/** How long an installation or removal may take. */
export const longMs = 1_800_000

/** GET /vpn-gateway/status */
export const useStatus = () =>
  useQuery({
    queryKey: ['vpn', 'status'],
    queryFn: ({ signal }) => run(vpnGateway.readVpnStatus(), signal),
    refetchInterval: liveMs,
  })

/** GET /vpn-gateway/settings */
export const useSettings = () =>
  useQuery({
    queryKey: ['vpn', 'settings'],
    queryFn: ({ signal }) => run(vpnGateway.readVpnSettings(), signal),
  })

/** GET /vpn-gateway/nodes; polled for who is online. */
export const useNodes = () =>
  useQuery({
    queryKey: ['vpn', 'nodes'],
    queryFn: ({ signal }) => run(vpnGateway.listVpnNodes(), signal),
    refetchInterval: liveMs,
  })

/** GET /vpn-gateway/users */
export const useUsers = () =>
  useQuery({
    queryKey: ['vpn', 'users'],
    queryFn: ({ signal }) => run(vpnGateway.listVpnUsers(), signal),
  })

/** GET /vpn-gateway/preauthkeys */
export const usePreAuthKeys = () =>
  useQuery({
    queryKey: ['vpn', 'preauthkeys'],
    queryFn: ({ signal }) => run(vpnGateway.listVpnPreAuthKeys(), signal),
  })

/** GET /vpn-gateway/apikeys */
export const useApiKeys = () =>
  useQuery({
    queryKey: ['vpn', 'apikeys'],
    queryFn: ({ signal }) => run(vpnGateway.listVpnApiKeys(), signal),
  })

/** GET /vpn-gateway/routes; polled for what nodes offer. */
export const useRoutes = () =>
  useQuery({
    queryKey: ['vpn', 'routes'],
    queryFn: ({ signal }) => run(vpnGateway.listVpnRoutes(), signal),
    refetchInterval: liveMs,
  })

/** GET /vpn-gateway/acl */
export const useAcl = () =>
  useQuery({
    queryKey: ['vpn', 'acl'],
    queryFn: ({ signal }) => run(vpnGateway.readVpnAcl(), signal),
    staleTime: Infinity, // a refetch must not replace the text that is being edited
  })

/** Closes a dialog, says what was done, and reads the lists again. */
export async function done(close: () => void, message: string): Promise<void> {
  close()
  notify(message)
  await readAgain('vpn', 'jobs', 'websites')
}
