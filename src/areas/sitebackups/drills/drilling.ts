import Type from 'typebox'
import { change, step } from '../../../core/change.ts'
import { singleLock } from '../../../core/lock.ts'
import { from } from '../../../core/returned.ts'
import { Id, OneOf, Secret } from '../../../core/schemas.ts'
import { loadAnyWebsite, type LoadedWebsite, loadWebsite } from '../../websites/index.ts'
import { type Backups, work } from '../context.ts'
import { backupLock } from '../locks.ts'
import { byTime, type Manifest } from '../manifest.ts'
import { locate, pointsOf } from '../points.ts'
import { BackupUnknown, DrillingAlready, PassphraseRequired } from '../problems.ts'
import { safetySet } from '../sets.ts'
import { keyId } from '../steps/write-point.ts'

/** Restores the newest backup of a website into scratch and compares it with its manifest. */
export const drilling = work({
  kind: 'sitebackups.drill',
  lane: 'files',
  input: Type.Object({
    website_id: Id,
    source: Type.Optional(OneOf(['local', 's3'])),
    passphrase: Type.Optional(Secret()),
  }),
  reply: Type.Object({ passed: Type.Boolean(), message: Type.String() }),
  timeoutMs: 12 * 3_600_000,
  attempts: 1,
  resumes: false,
  single: DrillingAlready,
  decide: async ({ input: { website_id, source, passphrase }, caller, jobId = 0, signal, backups: on }) => {
    const site =
      caller === null
        ? await loadAnyWebsite(on.websites, website_id)
        : await loadWebsite(on.websites, website_id, caller)
    const chosen = await newestPoint(on, { site, source, signal })
    const { username, domain, user_id } = site
    const run = step(on.steps.drill, {
      ...{ job_id: jobId, website_id, user_id, username, domain },
      ...{ name: chosen.point.name, source: chosen.source },
      hasDatabases: chosen.point.databases.length > 0,
      passphrase: await passphraseOf(on, chosen.point, passphrase),
    })
    return change({
      summary: `Prove that ${chosen.point.name} of ${domain} restores`,
      locks: [backupLock(site)],
      steps: [run],
      reply: { passed: from(run, 'passed'), message: from(run, 'message') },
    })
  },
})

interface Choosing {
  readonly site: LoadedWebsite
  readonly source: 'local' | 's3' | undefined
  readonly signal: AbortSignal
}

/** The newest backup of the place that is asked for; otherwise of both, from this host if it is here. */
async function newestPoint(on: Backups, { site, source, signal }: Choosing) {
  if (source === 's3') await on.copies.assertOn()
  const { local, copied } =
    source === 'local' ? { local: await pointsOf(on, site), copied: [] } : await locate(on, site, signal)
  const here = source === 's3' ? undefined : newestOf(local)
  const there = newestOf(copied)
  if (here !== undefined && (there === undefined || byTime(here, there) >= 0))
    return { point: here, source: 'local' as const }
  if (there !== undefined) return { point: there, source: 's3' as const }
  throw BackupUnknown(
    `${site.domain} has no backup to restore${source === undefined ? '' : ` from ${source}`}`,
  )
}

const newestOf = (points: readonly Manifest[]): Manifest | undefined =>
  points.findLast(({ set }) => set !== safetySet)

/** The passphrase that was given, otherwise the key of the server if it is the one of the backup. */
async function passphraseOf(
  { policies }: Backups,
  { encrypted, key_id, chain, name }: Manifest,
  given: string | undefined,
): Promise<string | null> {
  if (!encrypted) return null
  const passphrase = given ?? (await policies.passphrase())
  if (passphrase !== undefined && keyId(chain, passphrase) === key_id) return passphrase
  throw PassphraseRequired(
    `passphrase: ${name} was encrypted with another key than ${given === undefined ? 'the server has now' : 'this one'}: enter its passphrase`,
  )
}

const allLock = singleLock('drills of all websites')
export const drillAllKind = 'sitebackups.drill-all'

/** Orders a drill of every website that has a backup on this host, one job each; a schedule names it. */
export const drillingAll = work({
  kind: drillAllKind,
  input: Type.Object({}),
  reply: Type.Object({}),
  timeoutMs: 600_000,
  attempts: 1,
  resumes: true,
  decide: async ({ backups: on }) => {
    const sites = await on.queries.sites()
    const found = await Promise.all(
      sites.map(async (site) => (newestOf(await pointsOf(on, site)) === undefined ? [] : [site])),
    )
    return change({
      summary: 'Order drills of the backups of all websites',
      locks: [allLock],
      jobs: found.flat().map(({ id, domain, user_id }) => ({
        kind: drilling.kind,
        input: { website_id: id },
        ownerId: user_id,
        title: `Prove that the newest backup of ${domain} restores`,
      })),
      reply: {},
    })
  },
})
