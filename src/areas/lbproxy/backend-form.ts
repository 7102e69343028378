import type {
  BackendParts,
  BackendView,
  HttpCheck,
  ServerSettings,
  ServerView,
} from '../../tools/haproxy/index.ts'
import type { Backend, BackendEdit, Server, ServerDraft } from './model.ts'

/** The host name that a visitor requested, without its port. */
const askedName = 'req.hdr(host),field(1,:)'

/** Translates the form of a server to HAProxy's settings. */
export function settingsOf(draft: ServerDraft): ServerSettings {
  const port = draft.port || 80
  const { interval, rise, fall, maxconn, verify, sni, cookie } = draft
  return {
    name: draft.name,
    address: draft.address.replace(/^\[|\]$/g, ''),
    port,
    weight: draft.weight ?? null,
    isBackup: draft.backup,
    usesTls: draft.ssl || port === 443,
    isChecked: draft.check,
    ...(interval !== undefined && { interval }),
    ...(rise !== undefined && { rise }),
    ...(fall !== undefined && { fall }),
    ...(maxconn !== undefined && { maxConnections: maxconn }),
    ...(verify !== undefined && { verify }),
    ...(sni !== undefined && { sni: sni === null ? null : sni === '*' ? askedName : `str(${sni})` }),
    ...(cookie !== undefined && { cookie }),
  }
}

/** Translates the form of a backend to HAProxy's statements. */
export function partsOf(draft: BackendEdit): Partial<BackendParts> {
  const { mode, balance, health_check: check, sticky, timeouts, forwardfor, compression } = draft
  return {
    ...(mode !== undefined && { mode }),
    ...(balance !== undefined && { balance }),
    ...(check !== undefined && { httpCheck: check === null ? null : checkOf(check) }),
    ...(sticky !== undefined && {
      sticky:
        sticky?.by === 'source'
          ? { by: 'source' }
          : sticky === null
            ? null
            : { by: 'cookie', cookie: sticky.cookie ?? 'SERVERID' },
    }),
    ...(timeouts !== undefined && { timeouts }),
    ...(forwardfor !== undefined && { forwardsAddress: forwardfor }),
    ...(compression !== undefined && { compression }),
  }
}

function checkOf({
  method = 'GET',
  path = '/',
  host = null,
  expect = '200-399',
}: NonNullable<BackendEdit['health_check']>): HttpCheck {
  return { method, path, host, expect }
}

/** Returns the reply of a backend, with the states that HAProxy reports; omits unset settings. */
export function showBackend(view: BackendView, statuses: ReadonlyMap<string, string> = new Map()): Backend {
  const { name, mode, balance, servers, httpCheck, sticky, timeouts, forwardsAddress, compression } = view
  return {
    name,
    mode,
    balance,
    servers: servers.map((server) => showServer(server, statuses.get(`${name}/${server.name}`))),
    ...(httpCheck !== null && { health_check: showCheck(httpCheck) }),
    ...(sticky !== null && { sticky }),
    ...(timeouts.length > 0 && { timeouts: timeouts.map((each) => ({ ...each })) }),
    ...(forwardsAddress && { forwardfor: true }),
    ...(compression !== null && { compression: [...compression] }),
  }
}

const showCheck = ({ method, path, host, expect }: HttpCheck) => ({ method, path, host, expect })

/** Returns the reply of a server; `UP` if HAProxy reports no state. */
export function showServer(server: ServerView, status?: string): Server {
  const { interval, rise, fall, maxConnections, verify, sni, cookie } = server
  return {
    name: server.name,
    address: server.address,
    port: server.port,
    weight: server.weight,
    status: status || 'UP',
    backup: server.isBackup,
    ssl: server.usesTls,
    check: server.isChecked,
    ...(interval !== null && { interval }),
    ...(rise !== null && { rise }),
    ...(fall !== null && { fall }),
    ...(maxConnections !== null && { maxconn: maxConnections }),
    ...(verify !== null && verify !== 'none' && { verify }),
    ...(sni !== null && { sni: sni === askedName ? '*' : sni.replace(/^str\(([^)]*)\)$/, '$1') }),
    ...(cookie !== null && { cookie }),
  }
}
