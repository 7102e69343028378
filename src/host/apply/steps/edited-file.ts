import type { StepKind, StepPlan } from '../../../core/change.ts'
import { Conflict } from '../../../core/problem.ts'
import type { Files } from '../../files.ts'
import { unifiedDiff } from '../diff.ts'
import { refusalOf } from '../edited-check.ts'
import { readLive } from '../edited-file.ts'
import type { ApplyEdit } from '../edited.ts'
import type { EditedTool } from '../edited-tool.ts'
import { RestoreFailed } from '../problems.ts'

/** What an edit does to the text of a file. All of it is pure: it is asked again whenever the file was changed meanwhile. */
export interface Grammar<Edit, Kept> {
  /** Throws what makes the edit impossible. */
  readonly edit: (text: string, edit: Edit) => string
  /** The part of a text that an edit touches, to the byte; null where there is none. */
  readonly part: (text: string, edit: Edit) => string | null
  /** What else than that part is needed to take the edit back. */
  readonly keep: (text: string, edited: string) => Kept
  /** The text without the edit, from one in which its part is as the edit made it. */
  readonly takeBack: (text: string, edit: Edit, before: EditBefore<Kept>) => string
  /** A text as people may see it: without secrets. */
  readonly mask: (text: string) => string
}

export interface EditBefore<Kept> {
  /** The part that the edit touches, before and after it. */
  readonly part: string | null
  readonly wanted: string | null
  readonly kept: Kept
  /** Whether the program had loaded the file; what somebody wrote and did not load is not loaded by an undo. */
  readonly wasServed: boolean
}

interface EditedFileDraft<Edit> {
  readonly name: string
  readonly title: (edit: Edit) => string
  /** What the edited part is called in a refusal to undo it. */
  readonly partName: (edit: Edit) => string
  /** Awaited after the program has taken the edit. */
  readonly settle?: (edit: Edit) => Promise<void>
}

interface Parts {
  readonly files: Files
  readonly applyEdit: ApplyEdit
}

/** Makes steps that edit the file of a tool that people edit too, and put it live. An edit by hand meanwhile is kept, and ours is made on top. */
export function editedFile<Edit, Kept>(
  { files, applyEdit }: Parts,
  tool: EditedTool,
  grammar: Grammar<Edit, Kept>,
): (draft: EditedFileDraft<Edit>) => StepKind<Edit, EditBefore<Kept>, null> {
  const { edit: edited, part } = grammar
  const live = async () => (await readLive(files, tool.path)).text
  return (draft) => ({
    name: draft.name,
    plan: async (edit) => ({ title: draft.title(edit), ...(await planOf(files, tool, grammar, edit)) }),
    observe: async (edit) => {
      await tool.assertAvailable()
      const text = await live()
      const wanted = edited(text, edit)
      const kept = grammar.keep(text, wanted)
      return { part: part(text, edit), wanted: part(wanted, edit), kept, wasServed: await tool.isServed() }
    },
    act: async (edit, { before }) => {
      await applyEdit(tool, (text) => (part(text, edit) === before.wanted ? text : edited(text, edit)))
      await draft.settle?.(edit)
      return null
    },
    undo: async (edit, before) => {
      await applyEdit(tool, (text) => {
        const now = part(text, edit)
        if (now === before.part) return text
        if (now === before.wanted) return grammar.takeBack(text, edit, before)
        throw Conflict(`${draft.partName(edit)} was changed by somebody else meanwhile, and stays as it is`)
      })
      // an undo that was cut off may have written the file and not loaded it
      if (before.wasServed && !(await tool.isServed())) await load(tool)
    },
    check: async (edit, before) => {
      const now = part(await live(), edit)
      if (!(await tool.isServed())) return 'other'
      if (now === before.wanted) return 'wanted'
      return now === before.part ? 'before' : 'other'
    },
  })
}

async function planOf<Edit>(
  files: Files,
  tool: EditedTool,
  { edit: edited, mask }: Pick<Grammar<Edit, unknown>, 'edit' | 'mask'>,
  edit: Edit,
): Promise<Omit<StepPlan, 'title'>> {
  const { text } = await readLive(files, tool.path)
  const wanted = edited(text, edit)
  return {
    files: [{ path: tool.path, diff: unifiedDiff(tool.path, mask(text), mask(wanted)) }],
    commands: [tool.checkCommand],
    reloads: [tool.name],
    ...(await refusalOf(files, tool, wanted)),
  }
}

async function load(tool: EditedTool): Promise<void> {
  const { outcome, message } = await tool.activate()
  if (outcome === 'refused') throw RestoreFailed(message)
}
