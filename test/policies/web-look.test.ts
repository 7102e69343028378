import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { root } from './sources.ts'

const components = globSync('src/{web,areas}/**/*.tsx', { cwd: root }).map((path) => ({
  path,
  text: readFileSync(`${root}${path}`, 'utf8'),
}))
const dialogs = components.filter(({ text }) => /<Modal\b/.test(text))
const pathsOf = (found: readonly { readonly path: string }[]) => found.map(({ path }) => path).sort()

/** Dialogs without buttons, which are read only. */
const withoutFooter = [
  'src/web/kit/JobDialog.tsx',
  'src/web/shell/ShortcutList.tsx',
  'src/web/shell/palette/Palette.tsx',
]

/** Dialogs that are read first, so that the focus starts at the close button. */
const withoutField = [
  'src/areas/databases/web/DumpDialog.tsx', // a frame: the field of an import has the focus
  'src/areas/filemanager/web/history/VersionDialog.tsx',
  'src/areas/filemanager/web/vcs/Commits.tsx',
  'src/areas/sitebackups/web/JobForm.tsx', // a frame: the first field of each form has the focus
  'src/web/kit/JobDialog.tsx',
  'src/web/shell/ShortcutList.tsx',
]

describe('the look of the pages', () => {
  test('has one page header, in the kit', () => {
    const headings = components.filter(({ text }) => /<h1\b|order=\{1\}/.test(text))
    assert.deepEqual(pathsOf(headings), ['src/web/kit/Page.tsx'])
  })

  test('has one style of tabs, in the kit', () => {
    const own = components.filter(({ text }) => /<Tabs\b|role="tab(?:list)?"/.test(text))
    assert.deepEqual(
      pathsOf(own),
      ['src/web/kit/SectionTabs.tsx'],
      'use PageTabs, or SectionTabs in dialogs and cards',
    )
  })

  test('has one dialog footer, in the kit', () => {
    const others = dialogs.filter(({ text }) => !/<(DialogFooter|SchemaForm|FormButtons)\b/.test(text))
    assert.deepEqual(pathsOf(others), withoutFooter)
    const own = dialogs.filter(({ text }) => /<Group justify="flex-end"/.test(text))
    assert.deepEqual(pathsOf(own), [], 'put the buttons of the dialog into DialogFooter')
  })

  test('focuses the first field of each dialog, or the button that changes nothing', () => {
    const others = dialogs.filter(
      ({ text }) => !/data-autofocus|<(SchemaForm|FolderPicker|Copyable|ModeForm|CodeField)\b/.test(text),
    )
    assert.deepEqual(pathsOf(others), withoutField)
  })

  test('shows actions that cut visitors or users off in red', () => {
    const button =
      /<Button\b(?:=>|[^>])*>\s*(?:Suspend|Stop|Disable|Delete|End all other sessions)\s*<\/Button>/g
    const verbs = components.filter(({ text }) =>
      [...text.matchAll(button)].some(([found]) => !found.includes('color="red')),
    )
    assert.deepEqual(pathsOf(verbs), [], 'use CutOffButton')
    const confirmed =
      /confirmLabel="(?:Suspend|Disable|End the sessions?|Remove the alias|Stop it)"(?!\s+isCutOff)/
    assert.deepEqual(pathsOf(components.filter(({ text }) => confirmed.test(text))), [], 'set isCutOff')
  })

  test('gives no badge a width that would truncate its label', () => {
    const narrow = components.filter(({ text }) => /<Badge\b(?:=>|[^>])*\s(w|maw)=/.test(text))
    assert.deepEqual(pathsOf(narrow), [])
  })
})
