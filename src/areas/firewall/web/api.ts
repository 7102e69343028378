// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const firewall = client<typeof endpoints>({
  listBans: 'GET /firewall/bans',
  addBan: 'POST /firewall/bans',
  deleteBan: 'DELETE /firewall/bans/{address}',
  cancelChange: 'POST /firewall/changes/{id}/cancel',
  confirmChange: 'POST /firewall/changes/{id}/confirm',
  disableFirewall: 'POST /firewall/disable',
  enableFirewall: 'POST /firewall/enable',
  listFirewallRules: 'GET /firewall/rules',
  addFirewallRule: 'POST /firewall/rules',
  deleteFirewallRule: 'DELETE /firewall/rules/{id}',
  readBanSettings: 'GET /firewall/settings',
  setBanSettings: 'PUT /firewall/settings',
  readFirewallStatus: 'GET /firewall/status',
})
