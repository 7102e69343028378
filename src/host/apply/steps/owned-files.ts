import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import type { Files } from '../../files.ts'
import { unifiedDiff } from '../../../core/unified-diff.ts'
import type { Apply } from '../index.ts'
import { editedByHand } from '../request.ts'
import { mayReplace, stamped } from '../stamp.ts'
import type { FileEdit, OwnedTool } from '../tool.ts'

/** The content of the files of a step by path; null for a missing file. */
export type FileContents = Readonly<Record<string, string | null>>

interface OwnedFilesDraft<Args> {
  readonly name: string
  readonly title: (args: Args) => string
  readonly files: (args: Args) => readonly Omit<FileEdit, 'isVerbatim'>[]
  /** True if files that were edited by hand are replaced. */
  readonly overwrites: (args: Args) => boolean
}

interface Parts {
  readonly files: Files
  readonly apply: Apply
  readonly tool: OwnedTool
}

/** Makes steps that write files of an owned tool and activate them with one check and one reload. */
export function ownedFiles(
  host: Omit<Parts, 'tool'>,
  tool: OwnedTool,
): <Args>(draft: OwnedFilesDraft<Args>) => StepKind<Args, Was<FileContents>, null> {
  const parts = { files: host.files, apply: host.apply, tool }
  return (draft) => ownedFilesStep(parts, draft)
}

function ownedFilesStep<Args>(
  { files, apply, tool }: Parts,
  draft: OwnedFilesDraft<Args>,
): StepKind<Args, Was<FileContents>, null> {
  const read = (args: Args) => contentsOf(files, draft.files(args))
  const wantedOf = (args: Args) =>
    draft
      .files(args)
      .map(({ path, content }) => ({ path, content: content === null ? null : stamped(content) }))
  return stateStep<Args, FileContents>({
    name: draft.name,
    plan: async (args) => ({
      title: draft.title(args),
      ...planOf(await read(args), wantedOf(args), draft.overwrites(args)),
      commands: [tool.checkCommand],
      reloads: [tool.name],
    }),
    read,
    wanted: (args) => Object.fromEntries(wantedOf(args).map(({ path, content }) => [path, content])),
    changed: (args, was = {}) => ({ files: diffsOf(was, wantedOf(args)) }),
    refuse: async (args, now = {}) => {
      await tool.assertAvailable()
      const edited = draft.overwrites(args) ? undefined : editedIn(now, wantedOf(args))[0]
      if (edited !== undefined) throw editedByHand(edited.path, edited.live, edited.content ?? undefined)
    },
    conflict: (args, now = {}) => {
      const { path = '', content = null } =
        wantedOf(args).find((each) => now[each.path] !== each.content) ?? {}
      return editedByHand(path, now[path] ?? undefined, content ?? undefined)
    },
    write: async (args, state = {}, { run }) => {
      const rights = new Map(draft.files(args).map((each) => [each.path, each.rights]))
      const edits = Object.entries(state).map(([path, content]) => edit(path, content, rights.get(path)))
      await apply(tool, edits, { overwrite: run === undefined || draft.overwrites(args) })
    },
    isInEffect: () => tool.isServed(),
  })
}

const edit = (path: string, content: string | null, rights: FileEdit['rights']): FileEdit => ({
  path,
  content,
  isVerbatim: true,
  ...(rights && { rights }),
})

async function contentsOf(files: Files, edits: readonly { readonly path: string }[]): Promise<FileContents> {
  const contents: Record<string, string | null> = {}
  for (const { path } of edits) contents[path] = (await files.read(path)) ?? null
  return contents
}

type Wanted = readonly { readonly path: string; readonly content: string | null }[]

function planOf(now: FileContents, wanted: Wanted, overwrites: boolean) {
  const edited = overwrites ? [] : editedIn(now, wanted)
  const refused = edited.map(({ path }) => `${path} was edited by hand since the panel wrote it`).join('\n')
  const paths = edited.map(({ path }) => path)
  return { files: diffsOf(now, wanted), ...(refused !== '' && { refused, edited_by_hand: paths }) }
}

const diffsOf = (now: FileContents, wanted: Wanted) =>
  wanted.map(({ path, content }) => ({
    path,
    diff: unifiedDiff(path, now[path] ?? undefined, content ?? undefined),
  }))

function editedIn(now: FileContents, wanted: Wanted) {
  return wanted
    .map((each) => ({ ...each, live: now[each.path] ?? undefined }))
    .filter(({ live, content }) => !mayReplace(live, content ?? undefined))
}
