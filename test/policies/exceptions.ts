/** Why a route is excused from a policy. A line that excuses nothing any more fails its policy, so the lists only shrink. */
export type Exceptions = Readonly<Record<string, string>>

/** The endpoints for which the router requires no credential: exactly these. */
export const openEndpoints: Exceptions = {
  'POST /api/auth/login': 'It is how a credential is got; attempts are limited and recorded',
  'POST /api/auth/refresh': 'The refresh token is the credential',
  'POST /api/auth/passkeys/sign-in-options': 'A challenge for anybody, which tells nothing of any user',
  'POST /api/auth/passkeys/login': 'It is how a credential is got; attempts are limited and recorded',
  'GET /api/version':
    'Peers test their connection with it; who sends no credential learns nothing (decision 2.2)',
  'GET /api/uptime/public': 'A status page for everybody, which is off by default and names no targets',
}

/** Open endpoints that change something and count attempts in another way than `rateLimit`. */
export const countedElsewhere: Exceptions = {
  'POST /api/auth/login': 'Failed sign-ins are counted by address and account, and by account',
}

/** Endpoints that return a common code with another status. */
export const otherStatus: Exceptions = {
  'POST /api/system/processes/{pid}/kill': 'Keeps 400 forbidden for PID 1 and the panel (decision 3.7)',
  'POST /api/services/{name}/stop': 'Keeps 400 forbidden for the unit of the panel (decision 4.23)',
  'POST /api/services/{name}/restart': 'Keeps 400 forbidden for the unit of the panel (decision 4.23)',
  'POST /api/services/{name}/start': 'Keeps 400 forbidden for what ends the panel, as the other verbs do',
  'POST /api/services/{name}/enable': 'Keeps 400 forbidden for what ends the panel, as the other verbs do',
  'POST /api/services/{name}/disable': 'Keeps 400 forbidden for the unit of the panel (decision 4.23)',
}

/** Declared codes that no test asserts, each with the test that is missing. */
export const untestedCodes: Exceptions = {
  'ai: marshal_failed': 'What was read as JSON can be written as JSON; the contract names the code',
  'system: service_failed': 'Needs a host where nginx does not start',
  'applications: service_failed': 'Needs a host where nginx does not start',
  'page-cache: service_failed': 'Needs a host where nginx does not start',
  'staging: service_failed': 'Needs a host where nginx does not start',
  'certificates: service_failed': 'Needs a host where nginx does not start',
  'manifest: service_failed': 'Needs a host where nginx does not start',
  'manifest: sessions_failed': 'The steps of a suspended user are tested by the area of SSH',
  'containers: service_failed': 'Needs a host where nginx does not start',
  'wordpress: service_failed': 'Needs a host where nginx does not start',
  'filemanager: unlock_failed': 'Needs a file system that does not keep the immutable flag',
  'filemanager: placed_in_part': 'Its job is tested; the request itself refuses before it begins',
  'sqlreplication: sync_failed': 'Its job is tested, which has a message and no code',
  'filemanager: host_not_found': 'The resolver is tested in host/fetch; a clone of an unknown host is not',
}

/** Fields that are named like a secret but are not one. */
export const plainFields: Exceptions = {
  s3_access_key: 'The name of a key pair of an S3 server, whose secret is s3_secret_key',
  mcp_query_token: 'on or off',
  license_public_key: 'The public half of a pair of keys',
  update_public_key: 'The public half of a pair of keys',
  public_key: 'The public half of a pair of keys; a private one is refused before anything is stored',
}

const serviceOfStack = 'The name of a service within a stack of the catalog, as the contract calls it'
/** Fields at one place of one endpoint that are named like a secret and are none. */
export const plainPlaces: Exceptions = {
  'GET /api/containers/catalog: reply.stacks[].services[].key': serviceOfStack,
  'GET /api/containers/stacks: reply[].services[].key': serviceOfStack,
  'POST /api/containers/stacks/launch: body.services[].key': serviceOfStack,
  'POST /api/containers/stacks/launch: reply.services[].key': serviceOfStack,
  'POST /api/containers/stacks/{instance}/upgrade: body.services[].key': serviceOfStack,
  'POST /api/containers/stacks/{instance}/upgrade: reply.services[].key': serviceOfStack,
  'GET /api/mailbox-backup/messages/{email}/{msgId}/attachments: reply.attachments[].s3_key':
    'The name of an object on an S3 server, as the contract calls it',
}

const ofOtherPanel = 'another panel, which no tenant owns'
/** Endpoints whose input names a credential or a right, and which change the access of nobody to the panel or the host. */
export const notOfAccess: Exceptions = {
  'POST /api/auth/login': 'It is how a credential is got',
  'POST /api/auth/passkeys/options': 'The password confirms; the passkey is added by another request',
  'POST /api/settings/mail': 'The password is that of a mail relay',
  'PATCH /api/websites/{id}': 'The passwords are those of the visitors of a website',
  'POST /api/dnslb/multi-servers': 'The public key is that of another panel',
  'POST /api/replication-servers': 'The public key is that of another panel',
  'PUT /api/replication-servers/{id}': 'The public key is that of another panel',
  'PUT /api/containers/registries/{registry}': 'The password is that of a registry of images',
  'POST /api/filemanager/vcs/clone': 'The password is that of another host',
  'POST /api/filemanager/vcs/pull': 'The password is that of another host',
  'POST /api/filemanager/vcs/push': 'The password is that of another host',
  'POST /api/filemanager/vcs/remote': 'The password is that of another host',
}

/** Endpoints below SU whose input names a row or a user, and which need no target. */
export const withoutTarget: Exceptions = {
  'DELETE /api/dnslb/rules/{id}': 'a rule of the host, which no tenant owns',
  'DELETE /api/dnslb/multi-servers/{id}': 'another panel, which no tenant owns',
  'POST /api/dnslb/multi-servers/{id}/sync': 'another panel, which no tenant owns',
  'POST /api/dnslb/multi-servers/{id}/test': 'another panel, which no tenant owns',
  'GET /api/replication-servers/{id}/action-log': ofOtherPanel,
  'DELETE /api/replication-servers/{id}/action-log': ofOtherPanel,
  'POST /api/replication-servers/{id}/action-log/{action_id}/retry': ofOtherPanel,
  'GET /api/replication-servers/{id}/categories': ofOtherPanel,
  'PUT /api/replication-servers/{id}/categories': ofOtherPanel,
  'PATCH /api/replication-servers/{id}/categories/{category}': ofOtherPanel,
  'POST /api/sqldb/processes/{id}/kill': 'The number of a connection to the SQL server, which no user owns',
  'POST /api/docdb-server/users': 'An account of the document server, which no user owns',
  'DELETE /api/docdb-server/users/{username}': 'An account of the document server, which no user owns',
  'POST /api/sqlproxy/backends': 'A hostgroup is a number of ProxySQL, which no user owns',
  'PUT /api/sqlproxy/backends': 'A hostgroup is a number of ProxySQL, which no user owns',
  'POST /api/sqlproxy/backends/reset': 'A hostgroup is a number of ProxySQL, which no user owns',
  'POST /api/sqlproxy/monitor-user': 'The account is one of SQL servers, which no user of the panel owns',
  'POST /api/sqlproxy/users': 'The account is one of SQL servers, which no user of the panel owns',
  'DELETE /api/sqldb/replication/slaves/{id}': 'A replica belongs to the SQL server, and to no user',
  'POST /api/sqldb/replication/accept': 'The number is that by which SQL servers tell each other apart',
  'GET /api/sqldb/replication/sync-stream':
    'The number of a synchronisation of the SQL server; other jobs are not found',
  'POST /api/mcp': 'The id is that of a message; each tool is a request to an endpoint with its own target',
  'GET /api/users/{uid}/api-keys':
    'An unknown user has an empty list (decision 2.4); the guard is for all users',
  'DELETE /api/users/{uid}/api-keys/{kid}':
    'Always 200 (decision 2.4); the verb refuses keys of a superuser to others',
  'POST /api/users': 'The user name is that of an account to be made',
  'POST /api/users/register-existing': 'The account belongs to nobody; the verb says which may be taken',
  'POST /api/auth/passkeys/login': 'The signature proves who the passkey belongs to',
  'GET /api/websites': 'The filter narrows a list that holds own sites only',
  'POST /api/applications': 'The verb refuses every owner but the caller without SU',
  'POST /api/websites': 'The verb refuses every owner but the caller without SU',
  'GET /api/activity/mine': 'The filter on user_id is replaced by the caller',
  'POST /api/authdns/sync-zone': 'The id orders the changes that a panel sends; it names no row',
  'POST /api/activity/{id}/undo': 'The verb refuses the entries of others, also at the turn of the job',
}

/** Deviations of declared endpoints from their rows of the contract, with the number of the decision that asks for each. */
export const contractDeviations: Exceptions = {
  'GET /api/aipartner/chat: query.token is required, not in the contract':
    'D2.2: a socket token in the query is the credential',
  'DELETE /api/aipartner/gateway: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/aipartner/gateway/install: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/aipartner/gateway/restart: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'GET /api/aipartner/gateway/status: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it is for those who may change it',
  'POST /api/aipartner/gateway/stop: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/aipartner/channel-a: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'PATCH /api/aipartner/channel-a: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'DELETE /api/aipartner/channel-a: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/advanced/clear-sessions: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/advanced/purge-credentials: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/advanced/reset-config: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/advanced/restart-gateway: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'GET /api/ai/channel-a/config: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/channel-a/config: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'GET /api/ai/channel-a/pairings: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/channel-a/pairings/approve: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'GET /api/ai/channel-b/config: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/channel-b/config: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'GET /api/ai/channel-b/pairings: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/channel-b/pairings/approve: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/chat: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/chat-stream: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'GET /api/ai/config: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/config: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/update-agent: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/webconsole/disable-lan: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/webconsole/enable-lan: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/webconsole/fix: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'GET /api/ai/webconsole/healthcheck: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/webconsole/restart: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/webconsole/start: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'GET /api/ai/webconsole/status: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'POST /api/ai/webconsole/stop: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it has serious effects',
  'GET /api/ai/chat/poll: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it shows what the guarded call has done',
  'GET /api/ai/update-agent/status: has the guard PERM(administrative_operations), the contract AUTH':
    'D2.3: it shows what the guarded call has done',
  'POST /api/dnslb/config: has the guard SU, the contract PERM(administrative_operations)':
    'D4.24: Lua of dnsdist amounts to root',
  'POST /api/telemetry/push-license: reply.data is not in the contract':
    'D3.3: an activation answers { data }, the other reply of the row',
  'POST /api/notifications/delete: has the guard AUTH, the contract NONE':
    'D2.2: it requires a signed-in user',
  'POST /api/notifications/mark-read: has the guard AUTH, the contract NONE':
    'D2.2: it requires a signed-in user',
  'GET /api/notifications/unread-count: has the guard AUTH, the contract NONE':
    'D2.2: it requires a signed-in user',
  'POST /api/authdns/import-bind: has the guard NONE+PLUGIN(authdns), the contract NONE':
    'D1.2: without the plugin it is 403 plugin_disabled, as all of its area',
  'POST /api/authdns/sync-zone: has the guard NONE+PLUGIN(authdns), the contract NONE':
    'D1.2: without the plugin it is 403 plugin_disabled, as all of its area',
  'GET /api/vpn-gateway/ipsec/: has the guard SU+PLUGIN(vpn-gateway), the contract NONE':
    'D2.2: it is guarded like the rest of its area',
  'POST /api/vpn-gateway/ipsec/: has the guard SU+PLUGIN(vpn-gateway), the contract NONE':
    'D2.2: it is guarded like the rest of its area',
  'GET /api/vpn-gateway/ipsec/generate-secret: has the guard SU+PLUGIN(vpn-gateway), the contract NONE':
    'D2.2: it is guarded like the rest of its area',
  'POST /api/vpn-gateway/ipsec/install: has the guard SU+PLUGIN(vpn-gateway), the contract NONE':
    'D2.2: it is guarded like the rest of its area',
  'GET /api/vpn-gateway/ipsec/local-ip: has the guard SU+PLUGIN(vpn-gateway), the contract NONE':
    'D2.2: it is guarded like the rest of its area',
  'GET /api/vpn-gateway/ipsec/status: has the guard SU+PLUGIN(vpn-gateway), the contract NONE':
    'D2.2: it is guarded like the rest of its area',
  'DELETE /api/vpn-gateway/ipsec/{id}: has the guard SU+PLUGIN(vpn-gateway), the contract NONE':
    'D2.2: it is guarded like the rest of its area',
  'PUT /api/vpn-gateway/ipsec/{id}: has the guard SU+PLUGIN(vpn-gateway), the contract NONE':
    'D2.2: it is guarded like the rest of its area',
  'POST /api/vpn-gateway/ipsec/{id}/restart: has the guard SU+PLUGIN(vpn-gateway), the contract NONE':
    'D2.2: it is guarded like the rest of its area',
  'POST /api/vpn-gateway/ipsec/{id}/toggle: has the guard SU+PLUGIN(vpn-gateway), the contract NONE':
    'D2.2: it is guarded like the rest of its area',
  'POST /api/settings/server-name: has the guard SU, the contract AUTH': 'D2.3: it has serious effects',
  'POST /api/system/updates: has the guard SU, the contract AUTH': 'D2.3: it has serious effects',
  'POST /api/authdns/import-bind: cannot return pass-through dns_backend_error':
    'D4.24: what PowerDNS refuses is 400 with its message; its own statuses, such as 401 for a wrong API key, would mislead the caller',
  'GET /api/settings/backup/webapp-restore-progress: reply.success is missing':
    'D4.18: the row is shown in part; the reply is the progress of the restore of all',
  'GET /api/settings/backup/webapp-restore-progress: reply.message is missing':
    'D4.18: the row is shown in part; the reply is the progress of the restore of all',
  'GET /api/settings/backup/webapp-restore-progress: reply.running is not in the contract':
    'D4.18: the row is shown in part; the reply is the progress of the restore of all',
  'GET /api/settings/backup/webapp-restore-progress: reply.total is not in the contract':
    'D4.18: the row is shown in part; the reply is the progress of the restore of all',
  'GET /api/settings/backup/webapp-restore-progress: reply.done is not in the contract':
    'D4.18: the row is shown in part; the reply is the progress of the restore of all',
  'GET /api/settings/backup/webapp-restore-progress: reply.failed is not in the contract':
    'D4.18: the row is shown in part; the reply is the progress of the restore of all',
  'GET /api/settings/backup/webapp-restore-progress: reply.started_at is not in the contract':
    'D4.18: the row is shown in part; the reply is the progress of the restore of all',
  'GET /api/settings/backup/webapp-restore-progress: reply.items is not in the contract':
    'D4.18: the row is shown in part; the reply is the progress of the restore of all',
}

const notTold =
  'What stands there later may be the work of its owner: only a stored result of the step can tell. It is the one step of its change, and whole or not there'

/** Kinds of steps whose undo takes back nothing that was carried out, though their plan does not call them final. */
export const stepsWithoutUndo: Exceptions = {
  'filemanager.compress': notTold,
  'filemanager.copy': notTold,
  'filemanager.download': notTold,
  'filemanager.extract': notTold,
  'filemanager.move': notTold,
  'filemanager.remove': notTold,
  'filemanager.restore-version': notTold,
  'filemanager.vcs_revert': notTold,
  'filemanager.write': notTold,
  'mariadb.export': notTold,
  'mongodb.export': notTold,
  'postgresql.export': notTold,
  'staging.replace-addresses':
    'The database is a copy, which is removed by the undo of the step that made it',
}
