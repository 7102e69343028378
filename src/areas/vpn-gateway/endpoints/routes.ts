import Type from 'typebox'
import { failures, local } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { ClientFailed } from '../../../tools/tailscale/index.ts'
import { endpoint } from '../context.ts'
import { unanswered } from '../failures.ts'
import { VpnAdvertisement, VpnRoute, VpnRoutePath } from '../model.ts'
import { NetworkInvalid, NotInstalled } from '../problems.ts'
import * as routes from '../routes.ts'

const category = local('each mesh has routes of its own')

export const listVpnRoutes = endpoint({
  method: 'GET',
  path: '/routes',
  summary: 'List the networks that nodes offer, and which of them are enabled',
  effect: 'reads',
  reply: data(Type.Array(VpnRoute)),
  throws: unanswered,
  run: ({ vpn }) => routes.listRoutes(vpn),
})

export const enableVpnRoute = endpoint({
  method: 'POST',
  path: '/routes/{id}/enable',
  summary: 'Let a network be reached through a node',
  description: 'Both default routes of an exit node are enabled together.',
  effect: 'changes',
  category,
  params: VpnRoutePath,
  reply: succeeded,
  throws: unanswered,
  run: ({ vpn, params }) => routes.setRoute(vpn, params.id, true),
})

export const disableVpnRoute = endpoint({
  method: 'POST',
  path: '/routes/{id}/disable',
  summary: 'Stop a network from being reached through a node',
  effect: 'changes',
  category,
  params: VpnRoutePath,
  reply: succeeded,
  throws: unanswered,
  run: ({ vpn, params }) => routes.setRoute(vpn, params.id, false),
})

export const advertiseVpnRoutes = endpoint({
  method: 'POST',
  path: '/advertise-routes',
  summary: 'Offer networks of this host to the mesh, and enable them',
  description: '`exit_node` lets nodes reach the internet through this host. What is absent stays.',
  effect: 'changes',
  category,
  body: VpnAdvertisement,
  reply: succeeded,
  throws: failures(unanswered, {
    bad_request: [NetworkInvalid, NotInstalled],
    mesh_client_error: ClientFailed,
  }),
  run: ({ vpn, body }) => routes.advertiseRoutes(vpn, body),
})
