import Type, { type Static } from 'typebox'
import { change, type Step, step } from '../../core/change.ts'
import type { WorkEvent } from '../../core/reply.ts'
import { from } from '../../core/returned.ts'
import { Id } from '../../core/schemas.ts'
import { assertDatabasesInstalled } from '../databases/index.ts'
import { loadAnyWebsite, type LoadedWebsite, loadWebsite } from '../websites/index.ts'
import { type Backups, work } from './context.ts'
import { copyOf } from './copy-to-s3.ts'
import { backupLock } from './locks.ts'
import { type Manifest, retentionOf } from './manifest.ts'
import { SetName } from './model.ts'
import { pointsOf } from './points.ts'
import { BackingUpAlready, KeyMissing } from './problems.ts'
import { recordOf } from './record.ts'
import { backUpKind, findSet } from './sets.ts'
import { keyId, type WrittenPoint } from './steps/write-point.ts'

const Made = Type.Object({ name: Type.String(), size_bytes: Type.Integer(), complete: Type.Boolean() })

/** Makes a backup of a website, and removes those beyond the number that its set keeps. */
export const backingUp = work({
  kind: backUpKind,
  lane: 'files',
  input: Type.Object({ website_id: Id, set: SetName }),
  reply: Made,
  timeoutMs: 12 * 3_600_000,
  attempts: 1,
  resumes: false,
  single: BackingUpAlready,
  decide: async ({ input, caller, now, backups: on }) => {
    const { website_id } = input
    const site =
      caller === null
        ? await loadAnyWebsite(on.websites, website_id)
        : await loadWebsite(on.websites, website_id, caller)
    const set = await findSet(on, site, input.set)
    const writing = await pointStep(on, site, { ...set, now })
    const { username, domain } = site
    const retention = retentionOf(set, now)
    return change({
      summary: `Back up ${domain}`,
      locks: [backupLock(site)],
      steps: [writing, step(on.steps.prune, { username, domain, set: set.name, ...retention })],
      jobs: (await on.copies.isOn())
        ? [copyOf(site, { set: set.name, ...retention }, nameOf(set.name, now))]
        : [],
      reply: {
        name: from(writing, 'name'),
        size_bytes: from(writing, 'size_bytes'),
        complete: from(writing, 'complete'),
      },
    })
  },
})

interface Point {
  readonly name: string
  readonly files: boolean
  readonly databases: boolean
  readonly now: Date
  /** True for a backup that continues none and is continued by none. */
  readonly isSingle?: boolean
}

/** Returns the step that makes a backup of a website, as an increment if the last one of its set can be continued. */
export async function pointStep(
  on: Backups,
  site: LoadedWebsite,
  { name: set, files, databases, now, isSingle = false }: Point,
): Promise<Step<WrittenPoint>> {
  const passphrase = await passphraseFor(on)
  const record = await recordOf(on, site)
  if (databases && record.databases.length > 0) await assertDatabasesInstalled(on.databases.mariadb)
  const last =
    isSingle || !files ? undefined : (await pointsOf(on, site)).findLast((point) => point.set === set)
  const time_mark = now.toISOString()
  return step(on.steps.writePoint, {
    ...{ username: site.username, domain: site.domain, user_id: site.user_id, set, time_mark, files },
    name: nameOf(set, now),
    databases: databases ? record.databases.map(({ name }) => name) : [],
    parent: continued(last, passphrase),
    passphrase,
    record,
  })
}

/** Returns the name of the backup of a set that is made now. */
const nameOf = (set: string, now: Date): string => `${set}-${now.toISOString().replaceAll(/[-:.]/g, '')}`

/** Backups of one chain; a longer one takes longer to restore, and each of them needs all before it. */
const longestChain = 7

function continued(last: Manifest | undefined, passphrase: string | null) {
  if (last === undefined || last.files === null || last.position >= longestChain - 1) return null
  if (last.parts.every(({ kind }) => kind !== 'snapshot')) return null // it was fetched from S3
  const { name, chain, position, key_id } = last
  if (key_id !== (passphrase === null ? null : keyId(chain, passphrase))) return null
  return { name, chain, position }
}

async function passphraseFor({ policies }: Backups): Promise<string | null> {
  const { encryptsLocal } = await policies.read()
  if (!encryptsLocal) return null
  const passphrase = await policies.passphrase()
  if (passphrase === undefined)
    throw KeyMissing('Generate a key in the settings of backups, or turn encryption off')
  return passphrase
}

const Message = Type.String({ maxLength: 4000 })
export const BackupEvent = Type.Union([
  Type.Object({ type: Type.Literal('progress'), message: Message }),
  Type.Object({ type: Type.Literal('error'), message: Message }),
  Type.Object({ type: Type.Literal('done'), ...Made.properties }),
])

/** Returns an event of a backup. */
export function backupEvent(event: WorkEvent<Static<typeof Made>>): Static<typeof BackupEvent> {
  if (event.type === 'failed') return { type: 'error', message: event.message }
  if (event.type === 'done') return { type: 'done', ...event.reply }
  return { type: 'progress', message: event.message }
}
