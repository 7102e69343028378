import Type from 'typebox'
import { failures, local } from '../../../core/endpoint.ts'
import { NotFound } from '../../../core/problem.ts'
import { created, data, succeeded } from '../../../core/reply.ts'
import { endpoint } from '../context.ts'
import { ofServer } from '../failures.ts'
import { NewPrimary, NewReplica, PrimaryDraft, Replica, ReplicaDraft, ReplicaPath } from '../model.ts'
import * as primary from '../primary.ts'
import { NotPrimary, ReplicaInvalid, ReplicaTaken, RoleTaken } from '../problems.ts'

const category = local('each host has an SQL server of its own')

export const makePrimary = endpoint({
  method: 'POST',
  path: '/init',
  summary: 'Make the SQL server of this host a primary, and generate the sync key for the panels of replicas',
  description:
    'Gives the server an id, a binary log, strict GTIDs and a certificate, lets it listen for other hosts and restarts it where that is needed. The firewall is not changed: open the port for the replicas. A second call changes nothing, but for another key with `new_key`.',
  effect: 'changes',
  changesAccess: true,
  category,
  body: PrimaryDraft,
  reply: data(NewPrimary),
  throws: failures(ofServer, { conflict: RoleTaken }),
  timeoutMs: 300_000,
  run: ({ sqlreplication, body, now }) => primary.makePrimary(sqlreplication, body, now),
})

export const listReplicas = endpoint({
  method: 'GET',
  path: '/slaves',
  summary: 'List the replicas of this SQL server, and which of them receive changes now',
  effect: 'reads',
  reply: data(Type.Array(Replica, { maxItems: 1000 })),
  throws: ofServer,
  run: ({ sqlreplication }) => primary.listReplicas(sqlreplication),
})

export const addReplica = endpoint({
  method: 'POST',
  path: '/slaves',
  summary: 'Add a replica that no panel runs: its account on this server',
  description: 'A replica with a panel adds itself when it connects. Only this reply shows the password.',
  effect: 'changes',
  changesAccess: true,
  category,
  body: ReplicaDraft,
  reply: created(NewReplica),
  throws: failures(ofServer, { bad_request: ReplicaInvalid, conflict: [ReplicaTaken, NotPrimary] }),
  run: ({ sqlreplication, body, ...request }) => primary.addReplica(sqlreplication, body, request),
})

export const deleteReplica = endpoint({
  method: 'DELETE',
  path: '/slaves/{id}',
  summary: 'Remove a replica with its account: it receives nothing more, and keeps its data',
  effect: 'destroys',
  category,
  params: ReplicaPath,
  reply: succeeded,
  throws: failures(ofServer, { not_found: NotFound }),
  run: ({ sqlreplication, params }) => primary.deleteReplica(sqlreplication, params.id),
})
