import { ConfigUnclear } from './problems.ts'

const constant = 'DISALLOW_FILE_EDIT'
const definition = /^([ \t]*define\(\s*(['"])DISALLOW_FILE_EDIT\2\s*,\s*)(true|false)(\s*\)\s*;)/im
const loading = /^[ \t]*require(?:_once)?\b[^\n]*wp-settings\.php[^\n]*$/gm
const added = `define('${constant}', true); // by Hostreeve\n`

/** What wp-config.php says of the editing of files. */
export type FileEditing = 'forbidden' | 'allowed' | 'unset'

/** Reads what the text says; throws ConfigUnclear where it is more than one plain definition. */
export function fileEditingIn(text: string): FileEditing {
  const mentions = text.split(constant).length - 1
  if (mentions === 0) return 'unset'
  const [, , , value] = definition.exec(text) ?? []
  if (mentions > 1 || value === undefined || isInComment(text))
    throw ConfigUnclear(`wp-config.php: ${constant} is not set by one plain define: edit it yourself`)
  return value.toLowerCase() === 'true' ? 'forbidden' : 'allowed'
}

/** Returns the text with another setting, and each other byte as it was; `unset` takes away what was added. */
export function withFileEditing(text: string, wanted: FileEditing): string {
  const now = fileEditingIn(text)
  if (now === wanted) return text
  if (wanted === 'unset') {
    if (!text.includes(added)) throw ConfigUnclear(`wp-config.php: ${constant} was set by its owner`)
    return text.replace(added, '')
  }
  if (now !== 'unset')
    return text.replace(
      definition,
      (_, before: string, _quote, _value, after: string) =>
        `${before}${wanted === 'forbidden' ? 'true' : 'false'}${after}`,
    )
  if (wanted === 'allowed') return text
  const [place, ...others] = text.matchAll(loading)
  if (place === undefined || others.length > 0)
    throw ConfigUnclear('wp-config.php: wp-settings.php is not loaded by one plain line: edit it yourself')
  return `${text.slice(0, place.index)}${added}${text.slice(place.index)}`
}

function isInComment(text: string): boolean {
  const before = text.slice(0, text.indexOf(constant))
  return before.lastIndexOf('/*') > before.lastIndexOf('*/')
}
