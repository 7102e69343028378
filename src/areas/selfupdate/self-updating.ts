import Type from 'typebox'
import { type Change, change, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { Problem } from '../../core/problem.ts'
import { type SelfUpdateArea, work } from './context.ts'
import type { SelfUpdate, UpdateStarted } from './model.ts'
import { UpdateFailed } from './problems.ts'
import { resultIn } from './result.ts'
import { newestRelease, type Offered } from './release-index.ts'
import { compareVersions } from './versions.ts'

const lock = singleLock('selfupdate')

/** Reads which version runs, which one is available, and how the last update ended. */
export async function readSelfUpdate(on: SelfUpdateArea): Promise<SelfUpdate> {
  const { version, releases, installation, files, resultPath } = on
  const [offered, others, text] = await Promise.all([
    available(on).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      return error.message
    }),
    installation === undefined ? [] : releases.list(installation.folder),
    files.read(resultPath),
  ])
  return {
    version,
    available: typeof offered === 'string' ? null : { version: offered.version, notes: offered.notes },
    reason: typeof offered === 'string' ? offered : null,
    previous: others.toSorted(compareVersions).findLast((each) => compareVersions(each, version) < 0) ?? null,
    last: resultIn(text) ?? null,
  }
}

/** Decides to install the newest release; the work follows as a job. */
export async function startUpdate(on: SelfUpdateArea, userId: number): Promise<Change<UpdateStarted>> {
  const { version } = await available(on)
  const title = `Update the panel to version ${version}`
  return change({
    summary: title,
    locks: [lock],
    jobs: [{ kind: selfUpdating.kind, input: { version }, ownerId: userId, title }],
    reply: { success: true, message: `The panel is being updated to version ${version}` },
  })
}

/** Installs a release and becomes it. What the index offers is read again: the job may have waited. */
export const selfUpdating = work({
  kind: 'selfupdate.run',
  input: Type.Object({ version: Type.String({ maxLength: 50 }) }),
  reply: Type.Object({ success: Type.Literal(true) }),
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input, selfupdate }) => {
    const { version, architecture, url, sha256 } = await available(selfupdate)
    if (version !== input.version)
      throw UpdateFailed(
        `The update server offers version ${version} now, not ${input.version}: start the update again`,
      )
    return change({
      summary: `Update the panel to version ${version}`,
      locks: [lock],
      steps: [
        step(selfupdate.unpack, { version, architecture, url, sha256 }),
        step(selfupdate.switch, { version }),
      ],
      reply: { success: true as const },
    })
  },
})

async function available({ server, version, installation }: SelfUpdateArea): Promise<Offered> {
  const newest = await newestRelease(server, version)
  if (installation === undefined)
    throw UpdateFailed('This panel runs from a checkout: install it with deploy/install.sh to update it')
  return newest
}
