import { failures, local } from '../../core/endpoint.ts'
import { NotFound, StoreFailed } from '../../core/problem.ts'
import { accepted, created, data, succeeded } from '../../core/reply.ts'
import { ServiceFailed } from '../../host/services.ts'
import { ForwardingFailed, NegotiationFailed, TunnelRefused } from '../../tools/strongswan/index.ts'
import { installing } from '../programs/index.ts'
import { endpoint } from './context.ts'
import {
  GeneratedSecret,
  IpsecStatus,
  LocalAddress,
  NewTunnel,
  StoredTunnel,
  Toggled,
  TunnelDraft,
  TunnelEdit,
  TunnelPath,
  TunnelQuery,
  Tunnels,
} from './model.ts'
import { NoAddress, TunnelDisabled, TunnelInvalid, TunnelTaken } from './problems.ts'
import * as status from './status.ts'
import * as verbs from './tunnels.ts'

const category = local('each gateway has its own end of a tunnel')
const refused = {
  config_rejected: TunnelRefused,
  forwarding_failed: ForwardingFailed,
  service_failed: ServiceFailed,
}
const invalid = { bad_request: TunnelInvalid, conflict: TunnelTaken }
const missing = { not_found: NotFound }
const ofTunnel = endpoint.with({ params: TunnelPath })

export const listTunnels = endpoint({
  method: 'GET',
  path: '',
  summary: 'List the tunnels with whether packets pass, and why not',
  effect: 'reads',
  query: TunnelQuery,
  reply: data(Tunnels),
  throws: { db_error: StoreFailed, config_rejected: TunnelRefused },
  run: ({ ipsec }) => status.listTunnels(ipsec),
})

export const createTunnel = endpoint({
  method: 'POST',
  path: '',
  summary: 'Add a tunnel to another gateway and begin to negotiate it',
  description:
    'Shows the shared secret once. The firewall admits the other gateway on UDP ports 500 and 4500 within seconds.',
  effect: 'changes',
  category,
  body: TunnelDraft,
  reply: created(NewTunnel),
  throws: failures(invalid, refused),
  run: ({ ipsec, body, ...request }) => verbs.createTunnel(ipsec, body, request),
})

export const generateSecret = endpoint({
  method: 'GET',
  path: '/generate-secret',
  summary: 'Make a secret for a tunnel; it is not stored',
  effect: 'reads',
  reply: data(GeneratedSecret),
  run: () => verbs.generateSecret(),
})

export const readLocalAddress = endpoint({
  method: 'GET',
  path: '/local-ip',
  summary: 'Read the address from which this host reaches other networks',
  effect: 'reads',
  reply: data(LocalAddress),
  throws: { no_address: NoAddress },
  run: ({ ipsec }) => verbs.readLocalAddress(ipsec),
})

export const readStatus = endpoint({
  method: 'GET',
  path: '/status',
  summary: 'Read whether strongSwan is installed and runs, and how many tunnels are up',
  effect: 'reads',
  reply: data(IpsecStatus),
  throws: { config_rejected: TunnelRefused },
  run: ({ ipsec }) => status.readStatus(ipsec),
})

export const install = endpoint({
  method: 'POST',
  path: '/install',
  summary: 'Install strongSwan with the package manager of the host',
  effect: 'changes',
  category: local('the program of this host'),
  reply: accepted(installing),
  run: () => ({ name: 'strongswan' }),
})

export const editTunnel = ofTunnel({
  method: 'PUT',
  path: '/{id}',
  summary: 'Change the given fields of a tunnel; an enabled one is negotiated anew',
  effect: 'changes',
  category,
  body: TunnelEdit,
  reply: data(StoredTunnel),
  throws: failures(invalid, refused, missing),
  run: ({ ipsec, params, body }) => verbs.editTunnel(ipsec, params.id, body),
})

export const deleteTunnel = ofTunnel({
  method: 'DELETE',
  path: '/{id}',
  summary: 'Remove a tunnel with its secret, its routes and what the firewall admits for it',
  effect: 'destroys',
  category,
  reply: succeeded,
  throws: failures(refused, missing),
  run: ({ ipsec, params }) => verbs.deleteTunnel(ipsec, params.id),
})

export const toggleTunnel = ofTunnel({
  method: 'POST',
  path: '/{id}/toggle',
  summary: 'Disable an enabled tunnel, or enable a disabled one',
  effect: 'changes',
  category,
  reply: data(Toggled),
  throws: failures(invalid, refused, missing),
  run: ({ ipsec, params }) => verbs.toggleTunnel(ipsec, params.id),
})

export const restartTunnel = ofTunnel({
  method: 'POST',
  path: '/{id}/restart',
  summary: 'Negotiate a tunnel anew, and tell why the other gateway does not agree',
  effect: 'changes',
  category,
  reply: succeeded,
  throws: failures({ conflict: TunnelDisabled, negotiation_failed: NegotiationFailed }, refused, missing),
  run: ({ ipsec, params }) => verbs.restartTunnel(ipsec, params.id),
})
