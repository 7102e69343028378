import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { AccountFailed, type Account, type Accounts } from '../../host/accounts.ts'
import type { Files } from '../../host/files.ts'

export interface ArchiveHomeArgs {
  readonly username: string
  /** The archive, in a folder that only root can open. */
  readonly path: string
}

export interface ArchiveHomeParts {
  readonly accounts: Accounts
  readonly files: Files
  /** Packs a home under its owner's uid; the stream ends in an error if a part of it cannot be read. */
  readonly pack: (account: Account) => Promise<Readable>
}

/** The step that packs a home into an archive that only root can read. */
export function archiveHome({
  accounts,
  files,
  pack,
}: ArchiveHomeParts): StepKind<ArchiveHomeArgs, Was<true>, null> {
  return stateStep({
    name: 'accounts.archive-home',
    plan: ({ username, path }: ArchiveHomeArgs) => ({
      title: `Pack the home of ${username} into ${path}, which only root can read`,
    }),
    notUndone: 'it may be all that is left of the home',
    refuse: ({ path }, now) => {
      if (now) throw AccountFailed(`${path} exists already`)
    },
    read: async ({ path }): Promise<true | undefined> => (await files.facts(path)) && true,
    wanted: () => true,
    write: async ({ username, path }, isThere, { run }) => {
      if (!isThere) return files.remove(path)
      const account = await accounts.find(username)
      if (account === undefined) throw AccountFailed(`${username}: there is no such account`)
      await files.makeDirectory(dirname(path), { mode: 0o700 })
      await files.cleanLeftovers(dirname(path))
      return files.store(path, await pack(account), run?.signal ?? AbortSignal.timeout(hourMs))
    },
  })
}

const hourMs = 3_600_000
