import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'
import { backups } from '../backups/index.ts'
import { type Certificates, certificates } from '../certificates/index.ts'
import { crontab, type Crontabs } from '../crontab/index.ts'
import { databases, type Databases } from '../databases/index.ts'
import { readZone } from '../machine/index.ts'
import { loadAccount, type Users, users } from '../users/index.ts'
import { type Websites, websites } from '../websites/index.ts'
import { Copies } from './copies.ts'
import { Depot } from './depot.ts'
import { type Policies, policiesOf } from './policy.ts'
import { drillStep } from './drills/step.ts'
import type { BackupParts, OwnedHome } from './step-parts.ts'
import { clearScratch } from './steps/clear.ts'
import { copyPoint } from './steps/copy.ts'
import { fetchPoints } from './steps/fetch.ts'
import { placeRestored } from './steps/place.ts'
import { pruneSet } from './steps/prune.ts'
import { removeCopies } from './steps/remove-copies.ts'
import { removePoint } from './steps/remove.ts'
import { swapFolder } from './steps/swap.ts'
import { unpackPoint } from './steps/unpack.ts'
import { uploadDump } from './steps/upload-dump.ts'
import { writePoint } from './steps/write-point.ts'
import { type BackupQueries, backupQueries } from './store.ts'

/** The backups of websites, as the verbs of the area reach them. */
export interface Backups extends BackupParts {
  readonly tools: Tools
  readonly store: Store
  readonly queries: BackupQueries
  readonly websites: Websites
  readonly users: Users
  readonly databases: Databases
  readonly crontabs: Crontabs
  readonly certificates: Certificates
  readonly nginx: Tools['nginx']
  readonly policies: Policies
  /** The name of the time zone of the host. */
  readonly timeZone: () => Promise<string>
  readonly steps: ReturnType<typeof stepsOf> & {
    readonly drill: ReturnType<typeof drillStep>
    readonly uploadDump: ReturnType<typeof uploadDump>
  }
}

/** Binds the area to its store, the websites and what they consist of. */
export function openBackups({ store, tools, host, use }: Deps): Backups {
  const own = use(users).users
  const policies = policiesOf(use(backups).backups)
  const parts = {
    depot: new Depot(host.files),
    copies: new Copies(host.files, policies.bucket),
    files: host.files,
    tools,
    homeOf: homeOf(host, own),
    maxBytesPerSecond: async () => (await policies.read()).maxBytesPerSecond,
  }
  return {
    ...parts,
    store,
    queries: backupQueries(store),
    websites: use(websites).websites,
    users: own,
    databases: use(databases).databases,
    crontabs: use(crontab).crontabs,
    certificates: use(certificates).certificates,
    nginx: tools.nginx,
    policies,
    timeZone: () => readZone(host),
    steps: {
      ...stepsOf(parts),
      drill: drillStep({ ...parts, store }),
      uploadDump: uploadDump({ ...parts, storage: policies.storage }),
    },
  }
}

const homeOf =
  ({ owners }: Pick<Host, 'owners'>, users: Users) =>
  async (username: string): Promise<OwnedHome> => {
    const account = await loadAccount(users, username)
    return { owner: owners.of({ ...account, name: username }), uid: account.uid, home: account.home }
  }

const stepsOf = (on: BackupParts) => ({
  writePoint: writePoint(on),
  prune: pruneSet(on),
  remove: removePoint(on),
  unpack: unpackPoint(on),
  swap: swapFolder(on),
  place: placeRestored(on),
  clear: clearScratch(on),
  copy: copyPoint(on),
  removeCopies: removeCopies(on),
  fetch: fetchPoints(on),
})

export interface Context {
  readonly backups: Backups
}

export const { endpoint, work } = area.of<Context>()
