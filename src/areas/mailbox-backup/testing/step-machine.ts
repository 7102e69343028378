import type { TestContext } from 'node:test'
import { scratchRoot } from '../../../../test/support/step-suite.ts'
import { stepRun } from '../../../../test/support/step-run.ts'
import { openAddresses, openFetch } from '../../../host/fetch/index.ts'
import { type Files, openFiles } from '../../../host/files.ts'
import { jobMigrations } from '../../../jobs/tables.ts'
import { openStore, type Store } from '../../../store/store.ts'
import { openGraph } from '../../../tools/graph/index.ts'
import { type StandInGraph, standInGraph } from '../../../tools/graph/testing/stand-in.ts'
import { createMailboxBackup } from '../migrations/202611281700-mailbox-backup.ts'
import { createMailboxVerifications } from '../migrations/202611290130-mailbox-verifications.ts'
import type { MailboxBackup } from '../parts.ts'
import { runStep } from '../run/step.ts'
import { openSettings } from '../settings/stored.ts'
import { mailboxQueries } from '../store.ts'

/** A store, files and a mailbox with two messages in its inbox. */
export interface StepMachine {
  readonly store: Store
  readonly files: Files
  readonly graph: StandInGraph
}

/** Makes the machine of one proof. */
export async function stepMachine(t: TestContext): Promise<StepMachine> {
  const graph = await standInGraph()
  const migrations = [...jobMigrations, createMailboxBackup, createMailboxVerifications]
  const store = await openStore({ migrations, now: new Date('2026-11-28T00:00:00Z') })
  t.after(() => Promise.all([graph.close(), store.close()]))
  const [inbox] = graph.mail.addUser('adele@example.com').folders
  if (inbox !== undefined) for (const subject of ['one', 'two']) graph.mail.addMessage(inbox, subject)
  return { store, files: openFiles(scratchRoot(t)), graph }
}

/** Makes the machine, and backs the mailbox up. */
export async function backedUpMachine(t: TestContext): Promise<StepMachine> {
  const machine = await stepMachine(t)
  await runStep(partsOn(machine)).act({ jobId: 1, users: null }, stepRun(null))
  return machine
}

const notUsed = () => Promise.reject(new Error('not used'))

/** The parts of the steps, with settings that name the stand-in. */
export function partsOn({ store, files, graph }: StepMachine): MailboxBackup {
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
