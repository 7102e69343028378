import { type Config, lineEndOf, parseConfig, writeConfig } from './config.ts'
import type { BackendParts } from './backend-parts.ts'
import { duplicateBackend } from './duplicate-backend.ts'
import {
  addBackend,
  addServer,
  editBackend,
  removeBackend,
  removeServer,
  replaceServer,
} from './edit-backends.ts'
import { addFrontend, editFrontend, removeFrontend } from './edit-frontends.ts'
import type { FrontendParts } from './frontend-parts.ts'
import { sectionsOf } from './sections.ts'
import type { ServerSettings } from './server-line.ts'

/** A change of the configuration as plain data, so that it can be stored before it is made. */
export type ConfigEdit =
  | {
      readonly do: 'add-backend'
      readonly name: string
      readonly mode: string
      readonly balance: string
      readonly parts?: Partial<BackendParts>
    }
  | { readonly do: 'edit-backend'; readonly name: string; readonly parts: Partial<BackendParts> }
  | { readonly do: 'remove-backend'; readonly name: string }
  | {
      readonly do: 'duplicate-backend'
      readonly name: string
      readonly source: string
      readonly port: number
    }
  | { readonly do: 'add-server'; readonly name: string; readonly server: ServerSettings }
  | {
      readonly do: 'replace-server'
      readonly name: string
      readonly replaced: string
      readonly server: ServerSettings
    }
  | { readonly do: 'remove-server'; readonly name: string; readonly removed: string }
  | { readonly do: 'add-frontend'; readonly name: string; readonly parts: Partial<FrontendParts> }
  | { readonly do: 'edit-frontend'; readonly name: string; readonly parts: Partial<FrontendParts> }
  | { readonly do: 'remove-frontend'; readonly name: string }

/**
 * Returns the text after an edit. Pure; throws a Problem if the edit cannot be applied to the configuration.
 */
export function editText(text: string, edit: ConfigEdit): string {
  return writeConfig(withLastLineEnd(editConfig(parseConfig(text), edit)))
}

/** Returns the section kinds that an edit changes, by the edit's name. */
export function kindsOf(edit: ConfigEdit): readonly string[] {
  return edit.do.endsWith('frontend') ? ['frontend', 'listen'] : ['backend', 'listen']
}

/** Returns the text of the section that an edit changes; null if it does not exist. */
export function touchedSection(text: string, edit: ConfigEdit): string | null {
  const config = parseConfig(text)
  const section = sectionsOf(config).find(
    ({ name, kind }) => name === edit.name && kindsOf(edit).includes(kind),
  )
  return section === undefined ? null : config.lines.slice(section.start, section.ownEnd).join('')
}

/** Restores a section to its previous text, at its current position; null removes it. */
export function restoreSection(text: string, edit: ConfigEdit, before: string | null): string {
  const config = parseConfig(text)
  const old = parseConfig(before ?? '').lines
  const section = sectionsOf(config).find(
    ({ name, kind }) => name === edit.name && kindsOf(edit).includes(kind),
  )
  if (section !== undefined)
    return writeConfig({
      lines: [...config.lines.slice(0, section.start), ...old, ...config.lines.slice(section.ownEnd)],
    })
  return writeConfig({ lines: [...withLastLineEnd(config).lines, ...old] })
}

function editConfig(config: Config, edit: ConfigEdit): Config {
  switch (edit.do) {
    case 'add-backend':
      return addBackend(config, edit)
    case 'edit-backend':
      return editBackend(config, edit.name, edit.parts)
    case 'remove-backend':
      return removeBackend(config, edit.name)
    case 'duplicate-backend':
      return duplicateBackend(config, edit.source, edit)
    case 'add-server':
      return addServer(config, edit.name, edit.server)
    case 'replace-server':
      return replaceServer(config, edit.name, edit.replaced, edit.server)
    case 'remove-server':
      return removeServer(config, edit.name, edit.removed)
    case 'add-frontend':
      return addFrontend(config, edit.name, edit.parts)
    case 'edit-frontend':
      return editFrontend(config, edit.name, edit.parts)
    case 'remove-frontend':
      return removeFrontend(config, edit.name)
  }
}

/** HAProxy treats a last line without a line ending as a truncated file. */
function withLastLineEnd(config: Config): Config {
  const last = config.lines.at(-1)
  return last === undefined || last.endsWith('\n')
    ? config
    : { lines: [...config.lines.slice(0, -1), last + lineEndOf(config)] }
}
