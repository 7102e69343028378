import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import { openAddresses, openFetch } from '../../../host/fetch/index.ts'
import { type Files, openFiles } from '../../../host/files.ts'
import { jobMigrations } from '../../../jobs/tables.ts'
import { openStore, type Store } from '../../../store/store.ts'
import { openGraph } from '../../../tools/graph/index.ts'
import { type StandInGraph, standInGraph } from '../../../tools/graph/testing/stand-in.ts'
import { createMailboxBackup } from '../migrations/202611281700-mailbox-backup.ts'
import type { MailboxBackup } from '../parts.ts'
import { openSettings } from '../settings/stored.ts'
import { mailboxQueries } from '../store.ts'
import { runStep } from './step.ts'

interface Machine {
  readonly store: Store
  readonly files: Files
  readonly graph: StandInGraph
}

const notUsed = () => Promise.reject(new Error('not used'))

/** The parts of the step, with settings that name the stand-in. */
function partsOn({ store, files, graph }: Machine): MailboxBackup {
  const queries = mailboxQueries(store)
  const settings = openSettings(store, queries, '/mailbox-backup')
  const doors = {
    ...{ fetch: openFetch(openAddresses()), graphUrl: graph.url, loginUrl: graph.url },
    patience: { firstPauseMs: 1 },
  }
  return {
    store,
    queries,
    settings: {
      ...settings,
      read: async () => ({
        ...(await settings.read()),
        idp: { tenantId: 'tenant', clientId: 'client', clientSecret: graph.secret },
      }),
    },
    files,
    gpg: { encryptFile: notUsed, decryptFile: notUsed },
    passphrase: async () => undefined,
    openGraph: (idp) => openGraph(idp, doors),
    openObjects: () => {
      throw new Error('not used')
    },
    homeRoot: '/home',
    defaultDataDir: '/mailbox-backup',
  }
}

proveStep<Machine>('mailbox-backup.run', {
  machine: async (t) => {
    const graph = await standInGraph()
    const migrations = [...jobMigrations, createMailboxBackup]
    const store = await openStore({ migrations, now: new Date('2026-11-28T00:00:00Z') })
    t.after(() => Promise.all([graph.close(), store.close()]))
    const [inbox] = graph.mail.addUser('adele@example.com').folders
    if (inbox !== undefined) for (const subject of ['one', 'two']) graph.mail.addMessage(inbox, subject)
    return { store, files: openFiles(scratchRoot(t)), graph }
  },
  open: (machine, door) => runStep(partsOn({ ...machine, files: door(machine.files) })),
  look: async ({ store }) => {
    const rows = await mailboxQueries(store).mailboxes()
    return rows.map(({ email, state, messages }) => ({ email, state, messages }))
  },
  cases: {
    'all mailboxes': {
      args: { jobId: 1, users: null },
      wanted: [{ email: 'adele@example.com', state: 'ok', messages: 2 }],
      returns: { mailboxes: 1, failed: 0 },
    },
  },
  withoutHandEdit: 'the step is final',
})
