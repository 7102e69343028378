// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints/index.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const webacl = client<typeof endpoints>({
  deleteAccessCondition: 'DELETE /webacl/conditions/{index}',
  deleteIpEntry: 'DELETE /webacl/ip-entries/{ip}',
  listIpGroups: 'GET /webacl/ip-groups',
  createIpGroup: 'POST /webacl/ip-groups',
  deleteIpGroup: 'DELETE /webacl/ip-groups/{name}',
  listIpEntries: 'GET /webacl/ip-groups/{name}/entries',
  addIpEntry: 'POST /webacl/ip-groups/{name}/entries',
  readAccessLibrary: 'GET /webacl/library',
  readPendingRules: 'GET /webacl/pending',
  editAccessRule: 'PUT /webacl/rules/{id}',
  deleteAccessRule: 'DELETE /webacl/rules/{id}',
  createAccessCondition: 'POST /webacl/rules/{id}/conditions',
  listRulesets: 'GET /webacl/rulesets',
  createRuleset: 'POST /webacl/rulesets',
  reorderRulesets: 'POST /webacl/rulesets/reorder',
  editRuleset: 'PUT /webacl/rulesets/{id}',
  deleteRuleset: 'DELETE /webacl/rulesets/{id}',
  applyRuleset: 'POST /webacl/rulesets/{id}/apply',
  replayRuleset: 'POST /webacl/rulesets/{id}/replay',
  listAccessRules: 'GET /webacl/rulesets/{id}/rules',
  createAccessRule: 'POST /webacl/rulesets/{id}/rules',
  reorderAccessRules: 'POST /webacl/rulesets/{id}/rules/reorder',
  installScriptModule: 'POST /webacl/script-module/install',
  readScriptModule: 'GET /webacl/script-module/status',
  simulateAccess: 'POST /webacl/simulate',
})
