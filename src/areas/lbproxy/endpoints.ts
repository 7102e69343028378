import Type from 'typebox'
import { accepted, created, data, succeeded } from '../../core/reply.ts'
import { Reveal } from '../../core/schemas.ts'
import { haproxyProblems as haproxy } from '../../tools/haproxy/index.ts'
import { type Context, endpoint } from './context.ts'
import { backupEndpoints } from './endpoints/backups.ts'
import { certificateEndpoints } from './endpoints/certificates.ts'
import { notLive } from './failures.ts'
import * as model from './model.ts'
import { NeedsSuperuser, NoSuchBackend, NoSuchCertificate } from './problems.ts'

const missing = { not_found: haproxy.NoSuchPart }
const taken = { conflict: [haproxy.NameTaken, haproxy.StillUsed, haproxy.OnlyByHand] }

/** The live configuration, whose revision `If-Match` may name. */
const live = ({ lbproxy }: Context) => lbproxy.live()
const BackendPath = Type.Object({ name: model.Name })
const ServerPath = Type.Object({ name: model.Name, server: model.Name })

export const listBackends = endpoint({
  method: 'GET',
  path: '/backends',
  summary: 'List backends with their servers and how these are',
  effect: 'reads',
  reply: data(Type.Array(model.Backend, { maxItems: 20_000 })),
  run: ({ lbproxy }) => lbproxy.listBackends(),
})

export const createBackend = endpoint({
  method: 'POST',
  path: '/backends',
  summary: 'Add a backend and put it live',
  effect: 'changes',
  category: 'services',
  body: model.BackendDraft,
  reply: created(model.Backend),
  throws: { ...taken, ...notLive },
  target: live,
  run: ({ target, body, lbproxy }) => lbproxy.addBackend(target, body),
})

export const duplicateBackend = endpoint({
  method: 'POST',
  path: '/backends/duplicate',
  summary: 'Copy a backend under another name and port',
  effect: 'changes',
  category: 'services',
  body: model.DuplicateDraft,
  reply: created(model.Backend),
  throws: { not_found: [haproxy.NoSuchPart, NoSuchBackend], ...taken, ...notLive },
  target: live,
  run: ({ target, body, lbproxy }) => lbproxy.duplicateBackend(target, body),
})

export const deleteBackend = endpoint({
  method: 'DELETE',
  path: '/backends/{name}',
  summary: 'Remove a backend that nothing uses',
  effect: 'destroys',
  category: 'services',
  params: BackendPath,
  reply: succeeded,
  throws: { ...missing, ...taken, ...notLive },
  target: live,
  run: ({ target, params, lbproxy }) => lbproxy.removeBackend(target, params.name),
})

export const createServer = endpoint({
  method: 'POST',
  path: '/backends/{name}/servers',
  summary: 'Add a server to a backend',
  effect: 'changes',
  category: 'services',
  params: BackendPath,
  body: model.ServerDraft,
  reply: created(model.Server),
  throws: { ...missing, ...taken, ...notLive },
  target: live,
  run: ({ target, params, body, lbproxy }) => lbproxy.addServer(target, params.name, body),
})

export const replaceServer = endpoint({
  method: 'PUT',
  path: '/backends/{name}/servers/{server}',
  summary: 'Change a server, or take it out of service with `state`',
  effect: 'changes',
  category: 'services',
  params: ServerPath,
  body: model.ServerEdit,
  reply: data(model.Server),
  throws: { ...missing, ...taken, ...notLive },
  target: live,
  run: ({ target, params, body, lbproxy }) => lbproxy.replaceServer(target, params, body),
})

export const deleteServer = endpoint({
  method: 'DELETE',
  path: '/backends/{name}/servers/{server}',
  summary: 'Remove a server from a backend',
  effect: 'destroys',
  category: 'services',
  params: ServerPath,
  reply: succeeded,
  throws: { ...missing, ...taken, ...notLive },
  target: live,
  run: ({ target, params, lbproxy }) => lbproxy.removeServer(target, params),
})

export const listFrontends = endpoint({
  method: 'GET',
  path: '/frontends',
  summary: 'List frontends with what they listen at and where they send visitors',
  effect: 'reads',
  reply: data(Type.Array(model.Frontend, { maxItems: 20_000 })),
  run: ({ lbproxy }) => lbproxy.listFrontends(),
})

export const createFrontend = endpoint({
  method: 'POST',
  path: '/frontends',
  summary: 'Add a frontend and put it live',
  effect: 'changes',
  category: 'services',
  body: model.FrontendDraft,
  reply: created(model.Frontend),
  throws: {
    bad_request: haproxy.StatementInvalid,
    not_found: [haproxy.NoSuchPart, NoSuchCertificate],
    forbidden: NeedsSuperuser,
    ...taken,
    ...notLive,
  },
  target: live,
  run: ({ target, body, caller, lbproxy }) => lbproxy.addFrontend(target, body, caller),
})

export const editFrontend = endpoint({
  method: 'PUT',
  path: '/frontends/{name}',
  summary: 'Change the parts of a frontend that are given; all others stay as they are',
  effect: 'changes',
  category: 'services',
  params: BackendPath,
  body: model.FrontendEdit,
  reply: data(model.Frontend),
  throws: {
    bad_request: haproxy.StatementInvalid,
    not_found: [haproxy.NoSuchPart, NoSuchCertificate],
    forbidden: NeedsSuperuser,
    ...taken,
    ...notLive,
  },
  target: live,
  run: ({ target, params, body, caller, lbproxy }) => lbproxy.editFrontend(target, params.name, body, caller),
})

export const deleteFrontend = endpoint({
  method: 'DELETE',
  path: '/frontends/{name}',
  summary: 'Remove a frontend',
  effect: 'destroys',
  category: 'services',
  params: BackendPath,
  reply: succeeded,
  throws: { ...missing, ...taken, ...notLive },
  target: live,
  run: ({ target, params, lbproxy }) => lbproxy.removeFrontend(target, params.name),
})

export const readConfig = endpoint({
  method: 'GET',
  path: '/config',
  summary: 'Read the configuration as text; passwords in it are hidden unless a superuser asks with reveal=1',
  effect: 'reads',
  query: Type.Object({ reveal: Reveal }),
  reply: data(model.Config),
  run: ({ query, lbproxy }) => lbproxy.showConfig(query.reveal),
})

export const writeConfig = endpoint({
  method: 'POST',
  path: '/config',
  summary: 'Replace the configuration and put it live',
  effect: 'changes',
  category: 'services',
  bodyBytes: 6 * 1024 * 1024,
  body: model.ConfigDraft,
  reply: succeeded,
  throws: { forbidden: NeedsSuperuser, ...notLive },
  target: live,
  run: ({ target, body, caller, lbproxy }) => lbproxy.writeConfig(target, body.content, caller),
})

export const readStatus = endpoint({
  method: 'GET',
  path: '/status',
  summary: 'Read whether the load balancer is installed and runs',
  effect: 'reads',
  reply: data(model.Status),
  run: ({ lbproxy }) => lbproxy.status(),
})

const service = (verb: 'start' | 'stop' | 'reload', summary: string) =>
  endpoint({
    method: 'POST',
    path: `/${verb}`,
    summary,
    effect: 'changes',
    reply: succeeded,
    throws: notLive,
    run: ({ lbproxy }) => lbproxy.act(verb),
  })

export const reload = service('reload', 'Check the configuration and load it')
export const start = service('start', 'Start the load balancer')
export const stop = service('stop', 'Stop the load balancer')

export const install = endpoint({
  method: 'POST',
  path: '/install',
  summary: 'Install the load balancer with the package manager of the host',
  effect: 'changes',
  reply: accepted,
  run: ({ caller, lbproxy }) => lbproxy.install(caller.user.id),
})

export const uninstall = endpoint({
  method: 'POST',
  path: '/uninstall',
  summary: 'Remove the load balancer; its configuration, certificates and backups stay',
  effect: 'destroys',
  reply: accepted,
  run: ({ caller, lbproxy }) => lbproxy.uninstall(caller.user.id),
})

export const readStats = endpoint({
  method: 'GET',
  path: '/stats',
  summary: 'Read what the load balancer counts, for each frontend, backend and server',
  effect: 'reads',
  reply: data(model.Stats),
  run: ({ lbproxy }) => lbproxy.stats(),
})

export const lbproxyEndpoints = [
  listBackends,
  createBackend,
  duplicateBackend,
  deleteBackend,
  createServer,
  replaceServer,
  deleteServer,
  listFrontends,
  createFrontend,
  editFrontend,
  deleteFrontend,
  readConfig,
  writeConfig,
  readStatus,
  reload,
  start,
  stop,
  install,
  uninstall,
  readStats,
  ...backupEndpoints,
  ...certificateEndpoints,
]
