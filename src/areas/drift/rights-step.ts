import type { StepKind } from '../../core/change.ts'
import { problem } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { plannedObject } from '../../host/apply/steps.ts'
import type { FileRights } from '../../host/files.ts'
import type { Host } from '../../host/index.ts'
import { rightsIn, textOfRights } from './rights.ts'

export const RightsFailed = problem('revert_failed', 500, 'The mode or the owner of the file was not changed')

interface RightsArgs {
  readonly path: string
  /** As `textOfRights` has them. */
  readonly rights: string
}

const limits = { timeoutMs: 10_000, maxBytes: 64 * 1024 }

/** Makes the kind of step that gives a file the mode, the owner and the group that the panel had left it with. */
export function rightsStep({
  files,
  run,
}: Pick<Host, 'files' | 'run'>): StepKind<RightsArgs, Was<FileRights>, null> {
  const read = async ({ path }: RightsArgs): Promise<FileRights | undefined> => {
    const { kind, mode, uid, gid } = (await files.facts(path)) ?? { kind: undefined }
    return kind === 'file' ? { mode, uid, gid } : undefined
  }
  const wanted = ({ rights }: RightsArgs, was: FileRights | undefined) => was && rightsIn(rights)
  return stateStep<RightsArgs, FileRights>({
    name: 'drift.set-rights',
    plan: ({ path, rights }) => ({
      title: `Set the mode and the owner of ${path}`,
      commands: commandsTo(path, rightsIn(rights)),
    }),
    ...plannedObject<RightsArgs, FileRights>({
      object: ({ path }) => path,
      read,
      wanted,
      show: textOfRights,
    }),
    read,
    wanted,
    write: async ({ path }, rights) => {
      if (rights === undefined) return
      for (const command of commandsTo(files.real(path), rights)) {
        const { code, stderr } = await run(command, limits)
        const refusal = (stderr.trim() || `exit status ${code}`).slice(0, 2000)
        if (code !== 0) throw RightsFailed(`${command[0]}: ${refusal}`)
      }
    },
  })
}

/** The owner comes first: chown(2) takes bits of the mode away. */
const commandsTo = (path: string, { mode, uid, gid }: FileRights) =>
  [
    ['chown', '--no-dereference', '--', `${uid}:${gid}`, path],
    ['chmod', '--', mode.toString(8).padStart(4, '0'), path],
  ] as const
