import type { StepKind, StepPlan } from '../../../core/change.ts'
import { Conflict } from '../../../core/problem.ts'
import type { Files } from '../../files.ts'
import { unifiedDiff } from '../../../core/unified-diff.ts'
import { refusalOf } from '../edited-check.ts'
import { readLive } from '../edited-file.ts'
import type { ApplyEdit } from '../edited.ts'
import type { EditedTool } from '../edited-tool.ts'
import { RestoreFailed } from '../problems.ts'

/** The effect of an edit on the text of a file. All of it is pure: it is called again whenever the file has changed in the meantime. */
export interface Grammar<Edit, Kept> {
  /** Throws the reason why the edit is impossible. */
  readonly edit: (text: string, edit: Edit) => string
  /** The exact part of a text that an edit touches; null if there is none. */
  readonly part: (text: string, edit: Edit) => string | null
  /** The further data that undoing the edit needs. */
  readonly keep: (text: string, edited: string) => Kept
  /** Returns the text without the edit, given one in which its part is as the edit made it. */
  readonly takeBack: (text: string, edit: Edit, before: EditBefore<Kept>) => string
  /** Formats a text for people: without secrets. */
  readonly mask: (text: string) => string
}

export interface EditBefore<Kept> {
  /** The part that the edit touches, before and after it. */
  readonly part: string | null
  readonly wanted: string | null
  readonly kept: Kept
  /** True if the program had loaded the file; text written by others that was not loaded is not loaded by an undo. */
  readonly wasServed: boolean
}

interface EditedFileDraft<Edit> {
  readonly name: string
  readonly title: (edit: Edit) => string
  /** The name of the edited part in a refusal to undo it. */
  readonly partName: (edit: Edit) => string
  /** Awaited after the program has accepted the edit. */
  readonly settle?: (edit: Edit) => Promise<void>
}

interface Parts {
  readonly files: Files
  readonly applyEdit: ApplyEdit
}

/** Makes steps that edit the file of a tool that people edit too, and activate it. A concurrent edit by hand is kept, and ours is applied on top. */
export function editedFile<Edit, Kept>(
  { files, applyEdit }: Parts,
  tool: EditedTool,
  grammar: Grammar<Edit, Kept>,
): (draft: EditedFileDraft<Edit>) => StepKind<Edit, EditBefore<Kept>, null> {
  const { edit: edited, part } = grammar
  const shown = (text: string | null) => (text === null ? '' : grammar.mask(text))
  const live = async () => (await readLive(files, tool.path)).text
  return (draft) => ({
    name: draft.name,
    plan: async (edit) => ({ title: draft.title(edit), ...(await planOf(files, tool, grammar, edit)) }),
    basis: live,
    changed: (_edit, before) => ({
      files: [{ path: tool.path, diff: unifiedDiff(tool.path, shown(before.part), shown(before.wanted)) }],
    }),
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
      // an interrupted undo may have written the file without loading it
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
    ...(!tool.isReadOnDemand && { commands: [tool.checkCommand], reloads: [tool.name] }),
    ...(await refusalOf(files, tool, wanted)),
  }
}

async function load(tool: EditedTool): Promise<void> {
  const { outcome, message } = await tool.activate()
  if (outcome === 'refused') throw RestoreFailed(message)
}
