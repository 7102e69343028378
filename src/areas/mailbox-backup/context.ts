import { resolve } from 'node:path'
import { area } from '../../core/area.ts'
import { openGraph } from '../../tools/graph/index.ts'
import { openObjectStore } from '../../tools/s3/index.ts'
import { backups } from '../backups/index.ts'
import type { Deps } from '../deps.ts'
import type { MailboxBackup } from './parts.ts'
import { runStep } from './run/step.ts'
import { openSettings } from './settings/stored.ts'
import { mailboxQueries } from './store.ts'

/** The backups of mailboxes, as the verbs of the area reach them. */
export interface Mailboxes extends MailboxBackup {
  readonly run: ReturnType<typeof runStep>
}

/** Binds the area to the store, the network and the key of the backups. */
export function openMailboxBackup({ store, host, tools, settings, use }: Deps): Mailboxes {
  const { graph_url: graphUrl = '', graph_login_url: loginUrl = '' } = settings.configuration.running
  const dataDir = resolve(settings.dataDir ?? '/')
  const defaultDataDir = `${dataDir === '/' ? '' : dataDir}/mailbox-backup`
  const queries = mailboxQueries(store)
  const parts: MailboxBackup = {
    store,
    queries,
    settings: openSettings(store, queries, defaultDataDir),
    files: host.files,
    gpg: tools.gpg,
    passphrase: use(backups).backups.key.passphrase,
    openGraph: (idp, patience) =>
      openGraph(idp, { fetch: host.fetch, graphUrl, loginUrl, ...(patience && { patience }) }),
    openObjects: openObjectStore,
    homeRoot: settings.homeRoot,
    defaultDataDir,
  }
  return { ...parts, run: runStep(parts) }
}

export interface Context {
  readonly mailboxBackup: Mailboxes
}

export const { endpoint, work } = area.of<Context>()
