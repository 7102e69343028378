// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const ipsec = client<typeof endpoints>({
  listTunnels: 'GET /vpn-gateway/ipsec',
  createTunnel: 'POST /vpn-gateway/ipsec',
  generateSecret: 'GET /vpn-gateway/ipsec/generate-secret',
  install: 'POST /vpn-gateway/ipsec/install',
  readLocalAddress: 'GET /vpn-gateway/ipsec/local-ip',
  readStatus: 'GET /vpn-gateway/ipsec/status',
  editTunnel: 'PUT /vpn-gateway/ipsec/{id}',
  deleteTunnel: 'DELETE /vpn-gateway/ipsec/{id}',
  restartTunnel: 'POST /vpn-gateway/ipsec/{id}/restart',
  toggleTunnel: 'POST /vpn-gateway/ipsec/{id}/toggle',
})
