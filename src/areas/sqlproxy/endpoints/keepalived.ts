import { at, local } from '../../../core/endpoint.ts'
import { awaited, data, succeeded } from '../../../core/reply.ts'
import { DiskFull } from '../../../host/files.ts'
import { InstallFailed } from '../../../host/packages.ts'
import { ServiceFailed } from '../../../host/services.ts'
import { ConfigRejected, ForeignConfig } from '../../../tools/keepalived/index.ts'
import { endpoint } from '../context.ts'
import { disableKeepalived, readKeepalived, settingUp } from '../keepalived.ts'
import { KeepalivedSetup, KeepalivedStatus } from '../model.ts'
import { AddressInvalid } from '../problems.ts'

const category = local('each host has a part of its own in the virtual address')

export const setUpKeepalived = endpoint({
  method: 'POST',
  path: '/keepalived/setup',
  summary: 'Set up a virtual address that moves to another host if the proxy of this one fails',
  description:
    'Installs keepalived where it is missing, checks its configuration, and starts it. The host with the highest priority whose proxy takes connections has the address.',
  effect: 'changes',
  category,
  body: KeepalivedSetup,
  reply: awaited(settingUp, { status: 200, shape: 'data' }),
  throws: {
    bad_request: AddressInvalid,
    conflict: ForeignConfig,
    setup_failed: at(500, InstallFailed, ConfigRejected, ServiceFailed, DiskFull),
  },
  run: ({ body }) => body,
})

export const readKeepalivedStatus = endpoint({
  method: 'GET',
  path: '/keepalived/status',
  summary: 'Read the virtual address, and whether this host has it',
  effect: 'reads',
  reply: data(KeepalivedStatus),
  run: ({ sqlproxy }) => readKeepalived(sqlproxy),
})

export const disableSqlproxyKeepalived = endpoint({
  method: 'POST',
  path: '/keepalived/disable',
  summary: 'Stop keepalived and remove its configuration',
  effect: 'destroys',
  category,
  reply: succeeded,
  throws: { conflict: ForeignConfig, disable_failed: at(500, ServiceFailed) },
  run: ({ sqlproxy }) => disableKeepalived(sqlproxy),
})
