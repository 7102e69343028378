import { setTimeout as wait } from 'node:timers/promises'
import type { Grammar } from '../../../host/apply/steps.ts'
import { edited } from '../../tool-files.ts'
import { maskConfig } from '../config/mask.ts'
import { type ConfigEdit, editText, restoreSection, touchedSection } from '../config/edits.ts'
import { type Patch, patchBetween, unpatched } from '../config/patch.ts'
import type { HaproxyParts } from '../parts.ts'

/**
 * The contract requires this wait after a server is replaced, so that its first health check has completed
 * when the caller looks.
 */
const settlingMs = 300

/**
 * The live configuration. An edit changes one section; if other sections were changed concurrently, its undo
 * restores only this one.
 */
export function configFile({ layout, tool }: HaproxyParts) {
  const grammar: Grammar<ConfigEdit, Patch> = {
    edit: editText,
    part: touchedSection,
    keep: patchBetween,
    takeBack: (text, edit, { part, kept }) => unpatched(text, kept) ?? restoreSection(text, edit, part),
    mask: maskConfig,
  }
  return edited(layout.configPath, grammar, {
    by: tool,
    title: (edit) => `${verbs[edit.do]} ${edit.name}`,
    partName: ({ name }) => name,
    settle: async (edit) => {
      if (edit.do === 'replace-server') await wait(settlingMs)
    },
  })
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
