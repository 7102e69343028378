import Type from 'typebox'
import { failures, local } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { ServiceFailed } from '../../../host/services.ts'
import { AddressFailed, NotServing } from '../../../tools/headscale/index.ts'
import { endpoint } from '../context.ts'
import { unanswered } from '../failures.ts'
import { VpnIdPath, VpnNode, VpnNodeAddress, VpnUser, VpnUserDraft, VpnUserPath } from '../model.ts'
import * as nodes from '../nodes.ts'
import { AddressInvalid, DomainMissing, SettingsInvalid, UserBusy, UserTaken } from '../problems.ts'
import * as users from '../users.ts'

const category = local('each mesh has users and nodes of its own')

export const listVpnUsers = endpoint({
  method: 'GET',
  path: '/users',
  summary: 'List the users of the mesh',
  effect: 'reads',
  reply: data(Type.Array(VpnUser)),
  throws: unanswered,
  run: ({ vpn }) => users.listUsers(vpn),
})

export const createVpnUser = endpoint({
  method: 'POST',
  path: '/users',
  summary: 'Create a user of the mesh',
  effect: 'changes',
  category,
  body: VpnUserDraft,
  reply: succeeded,
  throws: failures(unanswered, { bad_request: UserTaken }),
  run: ({ vpn, body }) => users.createUser(vpn, body),
})

export const deleteVpnUser = endpoint({
  method: 'DELETE',
  path: '/users/{name}',
  summary: 'Delete a user of the mesh who has no nodes and is in no rule, with the keys of the user',
  effect: 'destroys',
  category,
  params: VpnUserPath,
  reply: succeeded,
  throws: failures(unanswered, { bad_request: UserBusy }),
  run: ({ vpn, params }) => users.deleteUser(vpn, params.name),
})

export const listVpnNodes = endpoint({
  method: 'GET',
  path: '/nodes',
  summary: 'List the nodes of the mesh with their addresses',
  effect: 'reads',
  reply: data(Type.Array(VpnNode)),
  throws: unanswered,
  run: ({ vpn, now }) => nodes.listNodes(vpn, now),
})

export const expireVpnNode = endpoint({
  method: 'POST',
  path: '/nodes/{id}/expire',
  summary: 'Cut a node off until it joins again',
  effect: 'destroys',
  category,
  params: VpnIdPath,
  reply: succeeded,
  throws: unanswered,
  run: ({ vpn, params }) => nodes.expireNode(vpn, params.id),
})

export const deleteVpnNode = endpoint({
  method: 'DELETE',
  path: '/nodes/{id}',
  summary: 'Remove a node from the mesh',
  effect: 'destroys',
  category,
  params: VpnIdPath,
  reply: succeeded,
  throws: unanswered,
  run: ({ vpn, params }) => nodes.deleteNode(vpn, params.id),
})

export const setVpnNodeAddress = endpoint({
  method: 'PUT',
  path: '/nodes/{id}/ip',
  summary: 'Give a node another address',
  description:
    'The control server stops for about a second, as only its database has the addresses. Where it does not start again, the former address is put back.',
  effect: 'changes',
  category,
  params: VpnIdPath,
  body: VpnNodeAddress,
  reply: succeeded,
  throws: failures(unanswered, {
    bad_request: [AddressInvalid, DomainMissing, SettingsInvalid],
    address_failed: AddressFailed,
    service_error: ServiceFailed,
    start_error: NotServing,
  }),
  run: ({ vpn, params, body }) => nodes.setNodeAddress(vpn, params.id, body),
})
