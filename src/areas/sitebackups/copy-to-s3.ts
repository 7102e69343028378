import Type from 'typebox'
import { change, type JobDraft, step } from '../../core/change.ts'
import { type Backups, work } from './context.ts'
import type { SiteName } from './depot.ts'
import { backupLock } from './locks.ts'
import { chainOf, type Manifest, type Retention, surplusOf, together } from './manifest.ts'
import { SetName } from './model.ts'
import { KeyMissing } from './problems.ts'
import { keyId } from './steps/write-point.ts'

/**
 * Copies a backup to S3 with those that it continues, and removes the copies beyond what its set keeps. It is a job
 * of its own: a backup on this host is one, whether or not S3 answers.
 */
export const copying = work({
  kind: 'sitebackups.copy-to-s3',
  lane: 'files',
  input: Type.Object({
    username: Type.String({ maxLength: 32 }),
    domain: Type.String({ maxLength: 253 }),
    name: Type.String({ maxLength: 255 }),
    set: SetName,
    keep: Type.Integer({ minimum: 1, maximum: 1000 }),
    before: Type.Optional(Type.String({ maxLength: 35 })),
  }),
  reply: Type.Object({}),
  timeoutMs: 12 * 3_600_000,
  attempts: 3,
  resumes: true,
  decide: async ({ input, signal, backups: on }) => {
    const { username, domain, name, set } = input
    const site = { username, domain }
    const local = await on.depot.points(site)
    const point = local.find((each) => each.name === name)
    const copied = await on.copies.points(site, signal)
    const passphrase = await passphraseOfCopies(on)
    const wanted = point === undefined ? [] : uncopied(chainOf(local, point), copied, passphrase)
    const surplus = surplusOf(
      together(wanted, copied).filter((each) => each.set === set),
      input,
    )
    const names = surplus.toReversed().map((each) => each.name)
    return change({
      summary: `Copy the backup ${name} of ${domain} to S3`,
      locks: [backupLock(site)],
      steps: [
        ...wanted.map((each) =>
          step(on.steps.copy, { ...site, name: each.name, passphrase: each.encrypted ? null : passphrase }),
        ),
        ...(names.length === 0
          ? []
          : [step(on.steps.removeCopies, { ...site, names, leavesRetained: true })]),
      ],
      reply: {},
    })
  },
})

/** Returns the job that copies a backup to S3. */
export const copyOf = (
  { username, domain, user_id }: SiteName & { readonly user_id: number },
  kept: Retention & { readonly set: string },
  name: string,
): JobDraft => ({
  kind: copying.kind,
  input: { username, domain, name, ...kept },
  ownerId: user_id,
  title: `Copy the backup ${name} of ${domain} to S3`,
})

/** Returns the backups of a chain from the first one that S3 lacks, or has with another key. */
function uncopied(
  chain: readonly Manifest[],
  copied: readonly Manifest[],
  passphrase: string | null,
): readonly Manifest[] {
  const keys = new Map(copied.map(({ name, key_id }) => [name, key_id]))
  const first = chain.findIndex((each) => keys.get(each.name) !== keyOf(each, passphrase))
  return first === -1 ? [] : chain.slice(first)
}

function keyOf({ encrypted, key_id, chain }: Manifest, passphrase: string | null): string | null {
  if (encrypted) return key_id
  return passphrase === null ? null : keyId(chain, passphrase)
}

async function passphraseOfCopies({ policies }: Backups): Promise<string | null> {
  const { encryptsRemote } = await policies.read()
  if (!encryptsRemote) return null
  const passphrase = await policies.passphrase()
  if (passphrase === undefined)
    throw KeyMissing('Generate a key in the settings of backups, or turn the encryption on S3 off')
  return passphrase
}
