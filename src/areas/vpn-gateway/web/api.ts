// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints/index.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const vpnGateway = client<typeof endpoints>({
  readVpnAcl: 'GET /vpn-gateway/acl',
  setVpnAcl: 'POST /vpn-gateway/acl',
  explainVpnAcl: 'GET /vpn-gateway/acl/explain',
  advertiseVpnRoutes: 'POST /vpn-gateway/advertise-routes',
  listVpnApiKeys: 'GET /vpn-gateway/apikeys',
  createVpnApiKey: 'POST /vpn-gateway/apikeys',
  installVpnGateway: 'POST /vpn-gateway/install',
  listVpnNodes: 'GET /vpn-gateway/nodes',
  deleteVpnNode: 'DELETE /vpn-gateway/nodes/{id}',
  expireVpnNode: 'POST /vpn-gateway/nodes/{id}/expire',
  setVpnNodeAddress: 'PUT /vpn-gateway/nodes/{id}/ip',
  listVpnPreAuthKeys: 'GET /vpn-gateway/preauthkeys',
  createVpnPreAuthKey: 'POST /vpn-gateway/preauthkeys',
  expireVpnPreAuthKey: 'POST /vpn-gateway/preauthkeys/expire',
  listVpnRoutes: 'GET /vpn-gateway/routes',
  disableVpnRoute: 'POST /vpn-gateway/routes/{id}/disable',
  enableVpnRoute: 'POST /vpn-gateway/routes/{id}/enable',
  switchVpnServer: 'POST /vpn-gateway/service/{action}',
  readVpnSettings: 'GET /vpn-gateway/settings',
  changeVpnSettings: 'POST /vpn-gateway/settings',
  changeVpnSubnet: 'POST /vpn-gateway/settings/subnet',
  readVpnStatus: 'GET /vpn-gateway/status',
  uninstallVpnGateway: 'POST /vpn-gateway/uninstall',
  listVpnUsers: 'GET /vpn-gateway/users',
  createVpnUser: 'POST /vpn-gateway/users',
  deleteVpnUser: 'DELETE /vpn-gateway/users/{name}',
})
