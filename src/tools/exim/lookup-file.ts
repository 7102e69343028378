import type { Grammar } from '../../host/apply/steps.ts'

interface EntryRules<Edit> {
  /** True if an entry of this key is one that the edit is about. */
  readonly concerns: (key: string, edit: Edit) => boolean
  /**
   * The value of the first such entry afterwards, which is the one that counts, and the key where there is none
   * yet: it is added as the last entry. Null removes all of them.
   */
  readonly entry: (edit: Edit) => { readonly key: string; readonly value: string } | null
  /** Shows an entry, a comment or another line without secrets. */
  readonly mask: (line: string) => string
}

/**
 * A file of lines `key: value` that Exim searches from its beginning (lsearch of its specification, chapter 9):
 * a line that begins with a space continues the one before it, and # begins a comment.
 */
export function lookupFile<Edit>({ concerns, entry, mask }: EntryRules<Edit>): Grammar<Edit, string> {
  const isOurs = (edit: Edit) => (text: string) => {
    const key = keyOf(text)
    return key !== undefined && concerns(key, edit)
  }
  const edited = (text: string, edit: Edit): string => {
    const all = entriesOf(text)
    const wanted = entry(edit)
    if (wanted === null) return all.filter((each) => !isOurs(edit)(each)).join('')
    const at = all.findIndex(isOurs(edit))
    const present = all[at]
    if (present === undefined) return insert(all, -1, `${wanted.key}:${wanted.value}\n`).join('')
    if (valueOf(present) === wanted.value) return text
    return all.with(at, `${writtenKeyOf(present)}:${wanted.value}\n`).join('')
  }
  return {
    edit: edited,
    part: (text, edit) => {
      const ours = entriesOf(text).filter(isOurs(edit))
      return ours.length === 0 ? null : ours.map(whole).join('')
    },
    keep: (text) => text,
    takeBack: (text, edit, { kept }) => {
      if (edited(kept, edit) === text) return kept
      const rest = entriesOf(text).filter((each) => !isOurs(edit)(each))
      const former = [...entriesOf(kept).entries()].filter(([, each]) => isOurs(edit)(each))
      return former.reduce((all, [at, each]) => insert(all, at, whole(each)), rest).join('')
    },
    mask: (text) => entriesOf(text).map(mask).join(''),
  }
}

/** Returns the value of the first entry whose key is accepted. */
export function findValue(text: string, accepts: (key: string) => boolean): string | undefined {
  const found = entriesOf(text).find((each) => {
    const key = keyOf(each)
    return key !== undefined && accepts(key)
  })
  return found === undefined ? undefined : valueOf(found)
}

/** Splits a text into entries, comments and blank lines, without losing a byte. */
function entriesOf(text: string): string[] {
  const all: string[] = []
  for (const line of text.split(/(?<=\n)/).filter(Boolean)) {
    const isContinuation = /^[ \t]+[^\s#]/.test(line) && isEntry(all.at(-1) ?? '')
    if (isContinuation) all.push(`${all.pop()}${line}`)
    else all.push(line)
  }
  return all
}

function insert(all: readonly string[], at: number, line: string): string[] {
  const index = at === -1 ? all.length : Math.min(at, all.length)
  const before = all[index - 1]
  const ended = before === undefined ? [...all] : all.with(index - 1, whole(before))
  return ended.toSpliced(index, 0, line)
}

const keyPattern = /^(?:"((?:[^"\\]|\\.)*)"|([^\s:#"][^\s:]*))[ \t]*:?/
const isEntry = (text: string) => keyPattern.test(text)
const whole = (text: string) => (text.endsWith('\n') ? text : `${text}\n`)

/** Keys are compared without regard to case; in a regular expression it may mean something. */
function keyOf(entry: string): string | undefined {
  const found = keyPattern.exec(entry)
  const key = found?.[1]?.replaceAll(/\\(.)/g, '$1') ?? found?.[2]
  return key?.startsWith('^') ? key : key?.toLowerCase()
}

const writtenKeyOf = (entry: string): string => /^(?:"(?:[^"\\]|\\.)*"|[^\s:]+)/.exec(entry)?.[0] ?? ''

/** Spaces around a value do not count, also where a line is continued. */
const valueOf = (entry: string): string =>
  entry
    .replace(keyPattern, '')
    .replaceAll(/\r?\n[ \t]+/g, '')
    .trim()
