import { setTimeout as wait } from 'node:timers/promises'
import type { StepKind } from '../../../core/change.ts'
import { Conflict } from '../../../core/problem.ts'
import { unifiedDiff } from '../../../host/apply/diff.ts'
import { refusalOf } from '../../../host/apply/edited-check.ts'
import { readLive } from '../../../host/apply/edited-file.ts'
import type { EditApplied } from '../../../host/apply/edited-tool.ts'
import { maskConfig } from '../config/mask.ts'
import { type ConfigEdit, editText, restoreSection, touchedSection } from '../config/edits.ts'
import { type Patch, patchBetween, unpatched } from '../config/patch.ts'
import type { HaproxyParts } from '../index.ts'
import { servesWhatLies } from '../serves.ts'

export interface EditBefore {
  /** The section that the edit touches, to the byte, before and after it; null where there is none. */
  readonly section: string | null
  readonly wanted: string | null
  readonly patch: Patch
}

/** The contract waits this long after a server was replaced, so that its first check is over when the caller looks. */
const settlingMs = 300

/** The step that changes one section of the live configuration. Where others changed other sections meanwhile, only this one is brought back. */
// oxlint-disable-next-line max-lines-per-function -- one sequence over shared local state
export function editConfig(parts: HaproxyParts): StepKind<ConfigEdit, EditBefore, EditApplied> {
  const { host, layout, tool } = parts
  const live = async () => (await readLive(host.files, layout.configPath)).text
  return {
    name: 'haproxy.edit-config',
    plan: async (edit) => {
      const text = await live()
      const wanted = editText(text, edit)
      return {
        title: titleOf(edit),
        files: [
          {
            path: layout.configPath,
            diff: unifiedDiff(layout.configPath, maskConfig(text), maskConfig(wanted)),
          },
        ],
        commands: [['haproxy', '-c', '-f', layout.configPath]],
        reloads: ['haproxy'],
        ...(await refusalOf(host.files, tool, wanted)),
      }
    },
    observe: async (edit) => {
      const text = await live()
      const edited = editText(text, edit)
      return {
        section: touchedSection(text, edit),
        wanted: touchedSection(edited, edit),
        patch: patchBetween(text, edited),
      }
    },
    act: async (edit) => {
      const applied = await host.applyEdit(tool, (current) => editText(current, edit))
      if (edit.do === 'replace-server') await wait(settlingMs)
      return applied
    },
    /** What somebody else made of the section meanwhile stays, as does what kept this edit from being made. */
    undo: async (edit, { section, wanted, patch }) => {
      await host.applyEdit(tool, (current) => {
        const now = touchedSection(current, edit)
        if (now === section) return current
        if (now !== wanted)
          throw Conflict(`${edit.name} was changed by somebody else meanwhile, and stays as it is`)
        return unpatched(current, patch) ?? restoreSection(current, edit, section)
      })
    },
    check: async (edit, { section, wanted }) => {
      const now = touchedSection(await live(), edit)
      if (!(await servesWhatLies(parts))) return 'other'
      if (now === wanted) return 'wanted'
      return now === section ? 'before' : 'other'
    },
  }
}

const verbs: Readonly<Record<ConfigEdit['do'], string>> = {
  'add-backend': 'Add the backend',
  'edit-backend': 'Change the backend',
  'remove-backend': 'Remove the backend',
  'duplicate-backend': 'Add a copy of a backend as',
  'add-server': 'Add a server to the backend',
  'replace-server': 'Change a server of the backend',
  'remove-server': 'Remove a server of the backend',
  'add-frontend': 'Add the frontend',
  'edit-frontend': 'Change the frontend',
  'remove-frontend': 'Remove the frontend',
}

const titleOf = (edit: ConfigEdit) => `${verbs[edit.do]} ${edit.name}`
