// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const mcp = client<typeof endpoints>({
  answerAgent: 'POST /mcp',
  listKeys: 'GET /mcp-keys',
  createKey: 'POST /mcp-keys',
  listApprovals: 'GET /mcp-keys/approvals',
  getApproval: 'GET /mcp-keys/approvals/{id}',
  approvePlan: 'POST /mcp-keys/approvals/{id}/approve',
  rejectPlan: 'POST /mcp-keys/approvals/{id}/reject',
  listScopes: 'GET /mcp-keys/scopes',
  getCertificate: 'GET /mcp-keys/tls',
  getCertificateFile: 'GET /mcp-keys/tls/download',
  createCertificate: 'POST /mcp-keys/tls/regenerate',
  deleteKey: 'DELETE /mcp-keys/{id}',
  toggleKey: 'POST /mcp-keys/{id}/toggle',
})
