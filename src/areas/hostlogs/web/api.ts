// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints/index.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const hostlogs = client<typeof endpoints>({
  readRemoteLogging: 'GET /settings/remote-logging',
  changeRemoteLogging: 'POST /settings/remote-logging',
  forwardSshAudit: 'POST /settings/ssh-audit/forward',
  readSshAuditLogs: 'GET /settings/ssh-audit/logs',
  rewriteSshAudit: 'POST /settings/ssh-audit/rewrite',
  readSshAudit: 'GET /settings/ssh-audit/status',
  toggleSshAudit: 'POST /settings/ssh-audit/toggle',
})
