import type { Caller } from '../../core/caller.ts'
import type { Change } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import {
  backendNamed,
  editText,
  type FrontendParts,
  type FrontendView,
  frontendsOf,
  type Haproxy,
  parseConfig,
} from '../../tools/haproxy/index.ts'
import { editChange, type LiveConfig, refuseGainedPowers } from './config.ts'
import type { Lbproxy } from './context.ts'
import { refuseHeldPorts } from './held-ports.ts'
import type { Frontend, FrontendDraft, FrontendEdit } from './model.ts'
import { NoSuchBackend, NoSuchCertificate, AddressTaken } from './problems.ts'
import { certificatesLock } from './locks.ts'

/** Lists the frontends; none if HAProxy is not installed. */
export async function listFrontends({ haproxy }: Lbproxy): Promise<Frontend[]> {
  const found = await haproxy.detect()
  if (!found.present) return []
  return frontendsOf(parseConfig(await haproxy.readConfig())).map((view) => showFrontend(view, haproxy))
}

/** Adds a frontend. */
export function createFrontend(
  on: Lbproxy,
  live: LiveConfig,
  { draft, caller }: { readonly draft: FrontendDraft; readonly caller: Caller },
): Promise<Change<Frontend>> {
  const { name } = draft
  return putFrontend(on, live, {
    do: 'add-frontend',
    name,
    draft,
    caller,
    summary: `Add the frontend ${name}`,
  })
}

/** Changes the given parts of a frontend. */
export function editFrontend(
  on: Lbproxy,
  live: LiveConfig,
  asked: { readonly name: string; readonly draft: FrontendEdit; readonly caller: Caller },
): Promise<Change<Frontend>> {
  const summary = `Change the frontend ${asked.name}`
  return putFrontend(on, live, { do: 'edit-frontend', ...asked, summary })
}

/** Removes a frontend. */
export function deleteFrontend(on: Lbproxy, live: LiveConfig, name: string): Change<{ success: true }> {
  return editChange(
    on,
    live,
    { do: 'remove-frontend', name },
    { summary: `Remove the frontend ${name}`, reply: () => success },
  )
}

interface FrontendPut {
  readonly do: 'add-frontend' | 'edit-frontend'
  readonly name: string
  readonly draft: FrontendEdit
  readonly caller: Caller
  readonly summary: string
}

async function putFrontend(on: Lbproxy, live: LiveConfig, put: FrontendPut): Promise<Change<Frontend>> {
  const { name, draft, caller, summary } = put
  refuseUnknownBackends(live, draft)
  refuseTakenAddresses(live, name, draft)
  await refuseHeldPorts(on.haproxy, live, draft)
  const edit = { do: put.do, name, parts: await partsOf(on.haproxy, draft) }
  refuseGainedPowers(on, { present: live.text, wanted: editText(live.text, edit) }, caller)
  return editChange(on, live, edit, {
    summary,
    locks: locksOf(draft),
    reply: (text) =>
      showFrontend(
        frontendsOf(parseConfig(text)).find((each) => each.name === name)!,
        on.haproxy,
      ),
  })
}

/** A certificate that is about to be named must not be removed concurrently. */
const locksOf = ({ binds = [] }: FrontendEdit) =>
  binds.some(({ certificates }) => certificates.length > 0) ? [certificatesLock] : []

/** HAProxy would accept both, and distribute the visitors of one address over two frontends. */
function refuseTakenAddresses({ text }: LiveConfig, name: string, { binds = [] }: FrontendEdit): void {
  const listeners = new Map(
    frontendsOf(parseConfig(text))
      .filter((each) => each.name !== name)
      .flatMap((each) =>
        each.binds
          .filter(({ port }) => port !== null)
          .map(({ address, port }) => [`${address}:${port}`, each.name] as const),
      ),
  )
  for (const { address, port } of binds) {
    const other = listeners.get(`${address.replace(/^\[|\]$/g, '')}:${port || 80}`)
    if (other !== undefined)
      throw AddressTaken(`binds: the frontend ${other} already listens on ${address}:${port || 80}`)
  }
}

function refuseUnknownBackends(
  { text }: LiveConfig,
  { default_backend: wanted, rules = [] }: FrontendEdit,
): void {
  const config = parseConfig(text)
  const refuse = (field: string, name: string) => {
    if (backendNamed(config, name) === undefined) throw NoSuchBackend(`${field}: there is no backend ${name}`)
  }
  if (wanted !== undefined && wanted !== null) refuse('default_backend', wanted)
  for (const { backend } of rules) refuse('rules', backend)
}

async function partsOf(haproxy: Haproxy, draft: FrontendEdit): Promise<Partial<FrontendParts>> {
  const certificates = await haproxy.certificates.list()
  const pathOf = (domain: string) => {
    if (!certificates.includes(domain))
      throw NoSuchCertificate(`binds.certificates: there is no certificate ${domain}`)
    return `${haproxy.layout.certificatesDirectory}/${domain}.pem`
  }
  const binds = draft.binds?.map((bind) => ({
    address: bind.address.replace(/^\[|\]$/g, ''),
    port: bind.port || 80,
    usesTls: bind.ssl,
    certificates: bind.ssl ? bind.certificates.map(pathOf) : [],
    alpn: bind.ssl ? (bind.alpn ?? null) : null,
    ...(bind.min_tls !== undefined && { minTls: bind.min_tls }),
    ...(bind.strict_sni !== undefined && { isStrict: bind.strict_sni }),
  }))
  return {
    ...(draft.mode !== undefined && { mode: draft.mode }),
    ...(binds !== undefined && { binds }),
    ...(draft.default_backend !== undefined && { defaultBackend: draft.default_backend }),
    ...(draft.maxconn !== undefined && { maxConnections: draft.maxconn }),
    ...(draft.timeouts !== undefined && { timeouts: draft.timeouts }),
    ...(draft.forwardfor !== undefined && { forwardsAddress: draft.forwardfor }),
    ...(draft.compression !== undefined && { compression: draft.compression }),
    ...(draft.acls !== undefined && { acls: draft.acls }),
    ...(draft.rules !== undefined && { rules: draft.rules }),
    ...(draft.redirects !== undefined && { redirects: draft.redirects }),
  }
}

function showFrontend(view: FrontendView, { layout }: Haproxy): Frontend {
  const directory = layout.certificatesDirectory
  const nameOf = (path: string) =>
    path.startsWith(`${directory}/`) && path.endsWith('.pem') ? path.slice(directory.length + 1, -4) : path
  return {
    name: view.name,
    kind: view.kind,
    mode: view.mode,
    binds: view.binds.map(({ address, port, usesTls, certificates, alpn, minTls, isStrict }) => ({
      address,
      port,
      ssl: usesTls,
      certificates: certificates.map(nameOf),
      alpn,
      ...(minTls && { min_tls: minTls }),
      ...(isStrict && { strict_sni: true }),
    })),
    default_backend: view.defaultBackend,
    maxconn: view.maxConnections,
    timeouts: view.timeouts.map((each) => ({ ...each })),
    ...(view.forwardsAddress && { forwardfor: true }),
    ...(view.compression !== null && { compression: [...view.compression] }),
    acls: view.acls.map((each) => ({ ...each })),
    rules: view.rules.map((each) => ({ ...each })),
    redirects: [...view.redirects],
  }
}
