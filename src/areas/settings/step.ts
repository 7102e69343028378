import { dirname } from 'node:path'
import type { StepKind, StepState } from '../../core/change.ts'
import { EditedByHand } from '../../core/problem.ts'
import { isMixture } from '../../core/steps.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import type { Host } from '../../host/index.ts'
import { masked } from './masked.ts'
import { editedFile, readSettingsFile } from './file.ts'
import { type Literals, literalsOf } from './toml-text.ts'

interface Edit {
  readonly path: string
  readonly literals: Literals
}

interface Before {
  /** Null if there is no file. */
  readonly text: string | null
  readonly wanted: string
  readonly literals: Literals
}

/**
 * Makes the kind of step that edits the settings file. Other lines that are edited in the meantime are kept; a
 * setting that is, is left as it is.
 */
export function editSettings(files: Host['files']): StepKind<Edit, Before, null> {
  const live = (path: string) => readSettingsFile(files, path)
  const write = async (path: string, text: string) => {
    const isNew = (await files.facts(path)) === undefined
    await files.write(path, text, isNew ? { rights: { mode: 0o600 } } : {})
  }
  return {
    name: 'settings.edit',
    plan: ({ path, literals }) => ({
      title: `Write ${Object.keys(literals).join(', ')} to ${path}`,
      details: ['The panel uses the new values once it is restarted'],
    }),
    preview: async ({ path, literals }) => {
      const text = await live(path)
      return { files: [{ path, diff: diffOf(path, text, editedFile(path, text, literals)) }] }
    },
    changed: ({ path }, { text, wanted }) => ({
      files: [{ path, diff: diffOf(path, text ?? undefined, wanted) }],
    }),
    observe: async ({ path, literals }) => {
      const text = await live(path)
      const names = Object.keys(literals)
      return {
        text: text ?? null,
        wanted: editedFile(path, text, literals),
        literals: literalsOf(text ?? '', names),
      }
    },
    act: async ({ path, literals }, { before }) => {
      const text = await live(path)
      assertOurs(path, { text, literals, before })
      const wanted = editedFile(path, text, literals)
      if (wanted !== text) await write(path, wanted)
      return null
    },
    undo: async ({ path, literals }, before) => {
      const text = await live(path)
      if (text === (before.text ?? undefined)) return
      if (text !== before.wanted) assertOurs(path, { text, literals, before })
      if (text !== before.wanted) await write(path, editedFile(path, text, before.literals))
      else if (before.text === null) await files.remove(path)
      else await write(path, before.text)
    },
    check: async ({ path, literals }, before) => stateOf(await live(path), literals, before.literals),
    recover: async ({ path }) => void (await files.cleanLeftovers(dirname(path))),
  }
}

function stateOf(text: string | undefined, wanted: Literals, before: Literals): StepState {
  const now = literalsOf(text ?? '', Object.keys(wanted))
  if (isSameLiterals(now, wanted)) return 'wanted'
  return isSameLiterals(now, before) ? 'before' : 'other'
}

/** The change of the text for people: without secrets. */
function diffOf(path: string, before: string | undefined, after: string): string {
  return unifiedDiff(path, before === undefined ? undefined : masked(before), masked(after, before))
}

interface Found {
  readonly text: string | undefined
  readonly literals: Literals
  readonly before: Before
}

/** A setting that is neither as before nor as wanted was edited by a person. */
function assertOurs(path: string, { text, literals, before }: Found): void {
  const now = literalsOf(text ?? '', Object.keys(literals))
  if (isMixture(now, before.literals, literals)) return
  throw EditedByHand(`${path} was edited by hand in the meantime, and was left as it is`, {
    fields: { path, diff: diffOf(path, text, editedFile(path, text, literals)) },
  })
}

const isSameLiterals = (one: Literals, other: Literals): boolean =>
  Object.keys(other).every((name) => one[name] === other[name])
