import { local } from '../../core/endpoint.ts'
import { signedIn } from '../../core/guard.ts'
import { data, succeeded } from '../../core/reply.ts'
import { endpoint } from './context.ts'
import * as verbs from './machine.ts'
import { ServerName, ServerNameDraft, ServerTimezone, ServerTimezoneDraft } from './model.ts'
import { NameRefused } from './set-server-name.ts'
import { ZoneRefused } from './set-time-zone.ts'

const ofThisHost = local('each host has a name and a time zone of its own')

export const readServerName = endpoint({
  method: 'GET',
  base: '/settings',
  path: '/server-name',
  summary: 'Read the name of this host',
  effect: 'reads',
  guard: signedIn,
  reply: data(ServerName),
  run: ({ machine }) => verbs.readServerName(machine),
})

export const nameServer = endpoint({
  method: 'POST',
  base: '/settings',
  path: '/server-name',
  summary: 'Name this host: in the kernel, /etc/hostname and /etc/hosts',
  effect: 'changes',
  category: ofThisHost,
  body: ServerNameDraft,
  reply: succeeded,
  throws: { name_refused: NameRefused },
  run: ({ machine, body }) => verbs.nameServer(machine, body),
})

export const readServerTimezone = endpoint({
  method: 'GET',
  base: '/settings',
  path: '/server-timezone',
  summary: 'Read the time zone of this host',
  effect: 'reads',
  reply: data(ServerTimezone),
  run: ({ machine, now }) => verbs.readTimezone(machine, now),
})

export const setServerTimezone = endpoint({
  method: 'POST',
  base: '/settings',
  path: '/server-timezone',
  summary: 'Set the time zone of this host',
  effect: 'changes',
  category: ofThisHost,
  body: ServerTimezoneDraft,
  reply: succeeded,
  throws: { timezone_refused: ZoneRefused },
  run: ({ machine, body }) => verbs.setTimezone(machine, body),
})
