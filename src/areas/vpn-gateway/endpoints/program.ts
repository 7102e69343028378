import { at, failures, local } from '../../../core/endpoint.ts'
import { awaited, data, succeeded } from '../../../core/reply.ts'
import { ServiceFailed } from '../../../host/services.ts'
import {
  AddressFailed,
  DownloadFailed,
  ForeignFiles,
  KeyFailed,
  KeyMissing,
  NotServing,
} from '../../../tools/headscale/index.ts'
import { ClientDownloadFailed, ClientFailed, UnpackFailed } from '../../../tools/tailscale/index.ts'
import { notCreated } from '../../websites/index.ts'
import { endpoint } from '../context.ts'
import { refusals, unanswered } from '../failures.ts'
import { installing, uninstalling } from '../install.ts'
import { VpnServicePath, VpnSettings, VpnSettingsEdit, VpnStatus, VpnSubnet } from '../model.ts'
import { DomainMissing, NetworkInvalid, NotInstalled, SettingsInvalid } from '../problems.ts'
import * as settings from '../settings.ts'
import * as status from '../status.ts'

const category = local('each host has a VPN gateway of its own')
const { service_failed: _ofNginx, ...ofWebsite } = notCreated

const reconfigured = {
  bad_request: [DomainMissing, SettingsInvalid, NetworkInvalid],
  address_failed: AddressFailed,
  service_error: ServiceFailed,
  start_error: NotServing,
}

export const readVpnStatus = endpoint({
  method: 'GET',
  path: '/status',
  summary: 'Read whether the control server of the mesh is installed, runs and answers',
  effect: 'reads',
  reply: data(VpnStatus),
  run: ({ vpn }) => status.readStatus(vpn),
})

export const installVpnGateway = endpoint({
  method: 'POST',
  path: '/install',
  summary: 'Install the control server of a mesh VPN, serve it, and join this host to the mesh',
  description:
    'Set `domain` of the settings first. Downloads headscale and tailscale from `headscale_url` and `tailscale_url` and verifies their SHA-256. Makes a website that forwards to the control server and asks for its certificate, the user `admin`, an API key for the panel that is renewed before it ends, and a key by which this host joins. What is there already stays.',
  effect: 'changes',
  category,
  reply: awaited(installing, { status: 200, shape: 'flat' }),
  throws: failures(ofWebsite, {
    bad_request: DomainMissing,
    conflict: ForeignFiles,
    download_error: at(500, DownloadFailed, ClientDownloadFailed),
    install_error: at(500, UnpackFailed, ClientFailed),
    config_error: KeyMissing,
    service_error: ServiceFailed,
    start_error: NotServing,
    apikey_error: at(500, KeyFailed, ...refusals),
  }),
  run: ({ id }) => ({ website_id: id('websites') }),
})

export const uninstallVpnGateway = endpoint({
  method: 'POST',
  path: '/uninstall',
  summary: 'Remove the mesh: both programs with their data, and the website',
  description: 'Every node has to join again afterwards. The settings stay.',
  effect: 'destroys',
  category,
  reply: awaited(uninstalling, { status: 200, shape: 'flat' }),
  throws: failures(ofWebsite, { conflict: ForeignFiles, service_error: ServiceFailed }),
  run: () => ({}),
})

export const switchVpnServer = endpoint({
  method: 'POST',
  path: '/service/{action}',
  summary: 'Start, stop or restart the control server of the mesh',
  description: 'Nodes keep their connections while it is stopped, and none can join.',
  effect: 'changes',
  category,
  params: VpnServicePath,
  reply: succeeded,
  throws: { bad_request: NotInstalled, service_error: ServiceFailed, start_error: NotServing },
  run: ({ vpn, params }) => status.switchServer(vpn, params.action),
})

export const readVpnSettings = endpoint({
  method: 'GET',
  path: '/settings',
  summary: 'Read how the mesh is set up',
  effect: 'reads',
  reply: data(VpnSettings),
  run: ({ vpn }) => settings.readSettings(vpn),
})

export const changeVpnSettings = endpoint({
  method: 'POST',
  path: '/settings',
  summary: 'Change how the mesh is set up',
  description:
    'Fields that are absent stay. Once it is installed, the control server restarts, and its domain and the owner of its website can no longer be changed.',
  effect: 'changes',
  category,
  body: VpnSettingsEdit,
  reply: succeeded,
  throws: reconfigured,
  run: ({ vpn, body }) => settings.changeSettings(vpn, body),
})

export const changeVpnSubnet = endpoint({
  method: 'POST',
  path: '/settings/subnet',
  summary: 'Give the mesh another network, and each node an address of it',
  description:
    'The network must lie within 100.64.0.0/10, the only addresses that tailscale takes. Nodes keep the last bits of their addresses where these are free.',
  effect: 'changes',
  category,
  body: VpnSubnet,
  reply: succeeded,
  throws: failures(unanswered, reconfigured),
  run: ({ vpn, body }) => settings.changeSubnet(vpn, body),
})
