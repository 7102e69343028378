import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import { refusalOf } from '../../host/apply/edited-check.ts'
import type { ManagedFiles } from '../../tools/tool-files.ts'
import { programOf } from './managed.ts'
import type { SnapshotParts } from './parts.ts'
import { SnapshotUnfit } from './problems.ts'

/** The files of one program to restore; null removes one. */
export interface RestoreArgs {
  readonly program: string
  readonly files: Readonly<Record<string, string | null>>
}

type Contents = RestoreArgs['files']

/** Makes the kind of step that gives a program its files of a snapshot, with one check and one reload. */
export function restoreFilesStep(on: SnapshotParts): StepKind<RestoreArgs, Was<Contents>, null> {
  const managedOf = ({ program }: RestoreArgs): ManagedFiles => {
    const found = programOf(on, program)
    if (found === undefined) throw SnapshotUnfit(`the panel does not manage the files of ${program} any more`)
    return found
  }
  const read = (args: RestoreArgs) => contentsOf(on, args)
  return stateStep<RestoreArgs, Contents>({
    name: 'snapshots.restore-files',
    plan: (args) => {
      const { program } = managedOf(args)
      const { name, checkCommand } = program
      const isLoaded = program.kind === 'owned' || program.isReadOnDemand === undefined
      return {
        title: program.kind === 'owned' ? `Restore the files of ${name}` : `Restore ${program.path}`,
        ...(isLoaded && { commands: [checkCommand], reloads: [name] }),
      }
    },
    preview: async (args) => {
      const { program, mask } = managedOf(args)
      const text = program.kind === 'edited' ? args.files[program.path] : undefined
      const isChecked = program.kind === 'edited' && typeof text === 'string'
      return {
        files: diffsOf(mask, await read(args), args.files),
        ...(isChecked && (await refusalOf(on.files, program, text))),
      }
    },
    changed: (args, was = {}, wanted = {}) => ({ files: diffsOf(managedOf(args).mask, was, wanted) }),
    read,
    wanted: (args) => args.files,
    refuse: (args) => managedOf(args).program.assertAvailable(),
    write: (args, contents = {}) => write(on, managedOf(args), contents),
    isInEffect: (args) => managedOf(args).program.isServed(),
  })
}

async function contentsOf({ files }: Pick<SnapshotParts, 'files'>, args: RestoreArgs): Promise<Contents> {
  const contents: Record<string, string | null> = {}
  for (const path of Object.keys(args.files)) {
    // what a link leads to is no file of the program, and not shown
    const isFile = (await files.facts(path))?.kind === 'file'
    contents[path] = (isFile ? await files.read(path) : undefined) ?? null
  }
  return contents
}

function diffsOf(mask: ManagedFiles['mask'], was: Contents, wanted: Contents) {
  const shown = (text: string | null | undefined) =>
    text === null || text === undefined ? undefined : mask(text)
  return Object.keys(wanted).map((path) => ({
    path,
    diff: unifiedDiff(path, shown(was[path]), shown(wanted[path])),
  }))
}

async function write(
  { apply, applyEdit }: Pick<SnapshotParts, 'apply' | 'applyEdit'>,
  { program }: ManagedFiles,
  contents: Contents,
): Promise<void> {
  if (program.kind === 'owned') {
    const edits = Object.entries(contents).map(([path, content]) => ({ path, content, isVerbatim: true }))
    await apply(program, edits, { overwrite: true })
    return
  }
  const text = contents[program.path]
  if (typeof text === 'string') await applyEdit(program, () => text)
}
