import type { Host } from '../../../host/index.ts'
import type { Deps } from '../../deps.ts'
import { type Failed, failureOf, obtain, type Obtaining } from '../obtain.ts'
import { panelOrderStep } from './order-step.ts'
import { openOwnPair, type OwnPair } from './own-pair.ts'
import { panelServeStep } from './serve-step.ts'
import { panelCertificateQueries } from './store.ts'

type PanelCertificateQueries = ReturnType<typeof panelCertificateQueries>

/** The panel's own certificate, as the verbs of the area reach it. */
export interface PanelTls {
  readonly own: OwnPair
  readonly queries: PanelCertificateQueries
  readonly order: ReturnType<typeof panelOrderStep>
  readonly serve: ReturnType<typeof panelServeStep>
  /** False if the panel answers over http alone, as behind a proxy. */
  readonly servesHttps: boolean
  readonly kernel: Host['machine']['kernel']
}

/** Binds the panel's certificate to its files, the listener and the certificate authority. */
export function openPanelCertificate(
  { store, host, settings }: Pick<Deps, 'store' | 'host' | 'settings'>,
  obtaining: Obtaining,
): PanelTls {
  const own = openOwnPair(host.files, settings)
  const queries = panelCertificateQueries(store)
  const order = panelOrderStep(own, async ({ name, directory, replaces }, key, run) => {
    const wanted = { directory, names: [name], replaces, key }
    const failed = (failure: Failed) => noteFailure(queries, name, failure)
    return (await obtain(obtaining, wanted, run, failed)).chain
  })
  return {
    own,
    queries,
    order,
    serve: panelServeStep(own),
    servesHttps: settings.serveCertificate !== undefined && servesTls(settings.configuration.running),
    kernel: host.machine.kernel,
  }
}

/** As the panel decides at its start whether it serves HTTPS. */
const servesTls = ({ tls, host = '' }: Readonly<Record<string, string>>): boolean =>
  tls === 'on' || (tls === 'auto' && !/^(?:localhost$|::1$|127\.)/.test(host))

async function noteFailure(queries: PanelCertificateQueries, name: string, failed: Failed): Promise<void> {
  const certificate = await queries.certificate()
  const count = (await queries.failure())?.count ?? 0
  await queries.noteFailure({ name, ...failureOf(failed, { count, certificate }, new Date()) })
}
