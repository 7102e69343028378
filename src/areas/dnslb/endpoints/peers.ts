import { local } from '../../../core/endpoint.ts'
import { NotFound } from '../../../core/problem.ts'
import { created, data, flat, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import * as model from '../peers/model.ts'
import * as peers from '../peers/peers.ts'
import { PeerInvalid, PeerTaken, PeerUnreached } from '../problems.ts'

const ofThisPanel = local('each panel has servers of its own')
const pushMs = 300_000

export const listPeers = endpoint({
  method: 'GET',
  path: '/multi-servers',
  summary: 'List the other panels that get the lists of this one',
  effect: 'reads',
  reply: flat(model.Peers),
  run: ({ dnslb }) => peers.listPeers(dnslb),
})

export const addPeer = endpoint({
  method: 'POST',
  path: '/multi-servers',
  summary: 'Add another panel that gets the lists, once it has answered to its key',
  description:
    'Where this host does not trust its certificate, `public_key` names its public key; the refusal tells the one that was found, to be compared on the other panel. The key is sent only to the panel with this public key.',
  effect: 'changes',
  category: ofThisPanel,
  body: model.PeerDraft,
  reply: created(model.Peer),
  throws: { bad_request: PeerInvalid, conflict: PeerTaken, unreachable: PeerUnreached },
  run: ({ dnslb, body, ...request }) => peers.addPeer(dnslb, body, request),
})

export const syncAllPeers = endpoint({
  method: 'POST',
  path: '/multi-servers/sync-all',
  summary: 'Replace the lists of all other panels by those of this one',
  description: 'The reply has a result for each server.',
  effect: 'changes',
  category: ofThisPanel,
  reply: data(model.PeersPushed),
  timeoutMs: pushMs,
  run: ({ dnslb, caller }) => peers.pushToAll(dnslb, { caller }),
})

export const deletePeer = endpoint({
  method: 'DELETE',
  path: '/multi-servers/{id}',
  summary: 'Remove another panel; the lists that it has stay there',
  effect: 'destroys',
  category: ofThisPanel,
  params: model.PeerPath,
  reply: succeeded,
  throws: { not_found: NotFound },
  run: ({ dnslb, params }) => peers.deletePeer(dnslb, params.id),
})

export const syncPeer = endpoint({
  method: 'POST',
  path: '/multi-servers/{id}/sync',
  summary: 'Replace the lists of another panel by those of this one',
  description: 'Answers 200 with `success: false` and the reason where the other panel did not take them.',
  effect: 'changes',
  category: ofThisPanel,
  params: model.PeerPath,
  reply: data(model.PeerPushed),
  throws: { not_found: NotFound },
  timeoutMs: pushMs,
  run: ({ dnslb, params, caller }) => peers.pushToPeer(dnslb, params.id, { caller }),
})

export const testPeer = endpoint({
  method: 'POST',
  path: '/multi-servers/{id}/test',
  summary: 'Ask another panel whether it can be reached with its key',
  effect: 'probes',
  params: model.PeerPath,
  reply: data(model.PeerChecked),
  throws: { not_found: NotFound },
  run: ({ dnslb, params, ...request }) => peers.testPeer(dnslb, params.id, request),
})
