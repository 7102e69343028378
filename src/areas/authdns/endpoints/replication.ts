import { at, failures, local } from '../../../core/endpoint.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { DiskFull } from '../../../host/files.ts'
import { ServiceFailed } from '../../../host/services.ts'
import { NotServing, RecordsRefused } from '../../../tools/powerdns/index.ts'
import { endpoint } from '../context.ts'
import { ofBackend } from '../failures.ts'
import { ReplicationInvalid } from '../problems.ts'
import { Replication, ReplicationDraft } from '../replication/model.ts'
import * as replication from '../replication/replication.ts'

export const readReplication = endpoint({
  method: 'GET',
  path: '/replication',
  summary: 'Read the role of this DNS server; for a secondary, the state of its zones',
  effect: 'reads',
  reply: data(Replication),
  throws: ofBackend,
  run: ({ authdns, now }) => replication.readReplication(authdns, now),
})

export const setReplication = endpoint({
  method: 'POST',
  path: '/replication',
  summary: 'Make this DNS server a primary, a secondary or native, with all its zones',
  description:
    'Writes the settings, restarts PowerDNS and sets the kind of every zone. A secondary replaces the records of each zone by those of its master.',
  effect: 'changes',
  category: local('each host has a role of its own'),
  body: ReplicationDraft,
  reply: succeeded,
  throws: failures(ofBackend, {
    bad_request: [ReplicationInvalid, RecordsRefused],
    config_failed: at(500, NotServing, ServiceFailed, DiskFull),
  }),
  timeoutMs: 300_000,
  run: ({ authdns, body }) => replication.setReplication(authdns, body),
})
