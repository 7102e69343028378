import { createHash } from 'node:crypto'
import { type Change, type Step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { nameGaps } from '../../core/gaps.ts'
import { Forbidden } from '../../core/problem.ts'
import { from } from '../../core/returned.ts'
import { type Manifests, work } from './context.ts'
import { type Decided, decideManifest, shortened } from './decide.ts'
import type { Manifest } from './manifest-model.ts'
import {
  ApplyInput,
  ManifestApplied,
  type ManifestDraft,
  type ManifestPlan,
  type ManifestPlanDraft,
} from './model.ts'
import { drawPasswords } from './passwords.ts'
import { ConfirmationRequired, PlanChanged } from './problems.ts'
import { readManifest } from './read.ts'
import { leftoverWrites } from './store.ts'

/** Brings the host into the state of a manifest: all of it, or nothing. */
export const applying = work({
  kind: 'manifest.apply',
  input: ApplyInput,
  reply: ManifestApplied,
  timeoutMs: 3_600_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input, caller, jobId, now, signal, manifest: on }): Promise<Change<ManifestApplied>> => {
    if (caller === null) throw Forbidden()
    const request = { caller, now, signal, isPlan: false }
    const decided = await decideManifest(on, input, request)
    const { change, operations, confirmations, passwords } = decided
    if (input.plan !== undefined && input.plan !== digestOf(input, decided)) throw PlanChanged()
    if (confirmations.length > 0 && !input.confirm)
      throw ConfirmationRequired(`confirm: has to be true: ${shortened(confirmations, '. ', 3900)}`)
    const reply = { operations: [...operations], passwords: passwords.shown, left: [] }
    const { removal } = decided
    if (removal === undefined) return { ...change, reply }
    const writes = jobId === undefined ? [] : leftoverWrites(removal, jobId, now)
    return { ...change, rows: [...change.rows, ...writes], reply: { ...reply, left: from(removal, 'left') } }
  },
})

/** Identifies a manifest and what it does to this host. */
const digestOf = (
  { manifest, prune }: Pick<ApplyInput, 'manifest' | 'prune'>,
  { operations, confirmations }: Decided,
): string =>
  createHash('sha256')
    .update(JSON.stringify([manifest, prune, operations, confirmations]))
    .digest('hex')

type Ids = Deciding['id']

/** Returns the input of an application: its ids and passwords are drawn once for each request. */
export async function drawApplication(
  { text, secrets, ...how }: ManifestDraft,
  id: Ids,
): Promise<ApplyInput> {
  const manifest = await readManifest(text)
  return { ...how, manifest, ids: drawIds(manifest, id), passwords: drawPasswords(manifest, secrets) }
}

const drawIds = (manifest: Manifest, id: Ids): ApplyInput['ids'] => {
  const { users = [], websites = [], databases = [], firewall_rules: rules = [] } = manifest
  return {
    users: users.map(() => id('users')),
    websites: websites.map(() => id('websites')),
    databases: databases.map(() => id('databases')),
    firewall_rules: rules.map(() => id('firewall_rules')),
  }
}

/** Compares a manifest with this host, without changing anything. */
export async function planManifest(
  on: Manifests,
  { text, prune }: ManifestPlanDraft,
  { caller, now, signal, id }: Deciding,
): Promise<ManifestPlan> {
  const manifest = await readManifest(text)
  const input = { manifest, prune, ids: drawIds(manifest, id), passwords: drawPasswords(manifest) }
  const decided = await decideManifest(on, input, { caller, now, signal, isPlan: true })
  return {
    digest: digestOf(input, decided),
    operations: [...decided.operations],
    confirmations: [...decided.confirmations],
    references: [...decided.passwords.references],
    steps: await titlesOf(decided.change.steps),
  }
}

const titlesOf = (steps: readonly Step[]): Promise<ManifestPlan['steps']> =>
  Promise.all(
    steps.map(async ({ kind, args }) => {
      const { title, irreversible = null } = await kind.plan(nameGaps(args, steps))
      return { title, irreversible }
    }),
  )
