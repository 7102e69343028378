import type { StepKind } from '../core/change.ts'
import type { Was } from '../core/steps.ts'
import type { StepDraft } from '../core/tool.ts'
import type { EditedTool } from '../host/apply/edited-tool.ts'
import {
  type EditBefore,
  editedFile,
  type FileContents,
  type Grammar,
  ownedFiles,
} from '../host/apply/steps.ts'
import type { FileEdit, OwnedTool } from '../host/apply/tool.ts'
import type { Host } from '../host/index.ts'

/** The dependencies of the steps on a tool's files. */
export interface FileParts {
  readonly host: Pick<Host, 'files' | 'apply' | 'applyEdit'>
  /** The program of the tool, as it checks and loads its owned files. */
  owned(): OwnedTool
  edited(path: string): EditedTool
  /** Told of each program with files, for copies of all of them. */
  readonly manages?: (files: ManagedFiles) => void
}

/** The files of a program, as a copy of all managed files takes and restores them. */
export interface ManagedFiles {
  readonly program: OwnedTool | EditedTool
  /** Formats a text for people: without secrets. */
  readonly mask: (text: string) => string
  /** Tells its files from those of other programs in the same directories; absent if it has these to itself. */
  readonly isOwn?: (path: string) => boolean
}

interface OwnedDraft<Args> {
  readonly title: (args: Args) => string
  readonly files: (args: Args) => readonly Omit<FileEdit, 'isVerbatim'>[]
  /** True if files that were edited by hand are replaced. Default: they are refused. */
  readonly overwrites?: (args: Args) => boolean
  /** The program, if it is checked and loaded in another way than the tool's `loading`. */
  readonly by?: OwnedTool
  /** Tells its files from those of other programs in the same directories. Default: it has these to itself. */
  readonly isOwn?: (path: string) => boolean
}

/** Files that the panel renders; the step `write…` writes them with one check and one reload. */
export function owned<Args>({
  title,
  files,
  overwrites = () => false,
  by,
  isOwn,
}: OwnedDraft<Args>): StepDraft<'write', FileParts, StepKind<Args, Was<FileContents>, null>> {
  return {
    verb: 'write',
    bind: (parts, name) => {
      const program = by ?? parts.owned()
      parts.manages?.({ program, mask: (text) => text, ...(isOwn && { isOwn }) })
      return ownedFiles(parts.host, program)<Args>({ name, title, files, overwrites })
    },
  }
}

/** The content of a single owned file; null removes it. */
export interface WriteFileArgs {
  readonly content: string | null
  readonly overwrite?: boolean
}

/** One file that the panel renders. */
export function ownedFile(
  path: string,
  rights?: FileEdit['rights'],
): StepDraft<'write', FileParts, StepKind<WriteFileArgs, Was<FileContents>, null>> {
  return owned<WriteFileArgs>({
    title: ({ content }) => `${content === null ? 'Remove' : 'Write'} ${path}`,
    files: ({ content }) => [{ path, content, ...(rights && { rights }) }],
    overwrites: ({ overwrite = false }) => overwrite,
  })
}

interface EditedDraft<Edit> {
  readonly title: (edit: Edit) => string
  /** The name of the edited part in a refusal to undo it. */
  readonly partName: (edit: Edit) => string
  /** Awaited after the program has accepted the edit. */
  readonly settle?: (edit: Edit) => Promise<void>
  /** The program, if it is checked and loaded in another way than the tool's `loading`. */
  readonly by?: EditedTool
}

/** A file that is the source of truth; the step `edit…` changes only the part that an edit concerns. */
export function edited<Edit, Kept>(
  path: string,
  grammar: Grammar<Edit, Kept>,
  { by, ...draft }: EditedDraft<Edit>,
): StepDraft<'edit', FileParts, StepKind<Edit, EditBefore<Kept>, null>> {
  return {
    verb: 'edit',
    bind: (parts, name) => {
      const program = by ?? parts.edited(path)
      parts.manages?.({ program, mask: grammar.mask })
      return editedFile(parts.host, program, grammar)({ name, ...draft })
    },
  }
}
