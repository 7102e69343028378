import { resolve } from 'node:path'
import { area } from '../../core/area.ts'
import { openGraph } from '../../tools/graph/index.ts'
import { openObjectStore } from '../../tools/s3/index.ts'
import { backups } from '../backups/index.ts'
import { licence } from '../licence/index.ts'
import { isPluginEnabled, plugins } from '../plugins/index.ts'
import type { Deps } from '../deps.ts'
import type { MailboxBackup } from './parts.ts'
import { restoreStep } from './restore/step.ts'
import { runStep } from './run/step.ts'
import { openSettings } from './settings/stored.ts'
import { mailboxQueries } from './store.ts'
import { assertSwitchedOn, plugin } from './switches.ts'
import { verifyStep } from './verify/step.ts'

/** The backups of mailboxes, as the verbs of the area reach them. */
export interface Mailboxes extends MailboxBackup {
  readonly run: ReturnType<typeof runStep>
  readonly restore: ReturnType<typeof restoreStep>
  readonly verify: ReturnType<typeof verifyStep>
  /** Refuses work whose feature is not licensed, or whose plugin is off; a schedule asks no gate. */
  assertEnabled(): void
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
  return {
    ...parts,
    run: runStep(parts),
    restore: restoreStep(parts),
    verify: verifyStep(parts),
    assertEnabled: () =>
      assertSwitchedOn({
        isLicensed: use(licence).licence.isFeatureEnabled,
        isPluginOn: () => isPluginEnabled(use(plugins).plugins, plugin),
      }),
  }
}

export interface Context {
  readonly mailboxBackup: Mailboxes
}

export const { endpoint, work } = area.of<Context>()
