/** A directive of an ini file, with the place of its value in the text. */
export interface IniDirective {
  readonly name: string
  /** As written, with quotes. */
  readonly written: string
  readonly start: number
  /** True below `[PATH=…]` or `[HOST=…]`, which apply to some requests only. */
  readonly isScoped: boolean
}

// values in double quotes may span lines
const directive =
  /[ \t]*([^=;[\n"']+?)[ \t]*=[ \t]*((?:"(?:[^"\\]|\\[^])*"|'[^']*'|[^"';\r\n])*)[^\n]*(?:\n|$)/y
const line = /[^\n]*(?:\n|$)/y

/** Reads the directives of an ini file, in their order. Read the file as latin1 to keep every byte. */
export function readIni(text: string): IniDirective[] {
  const found: IniDirective[] = []
  let isScoped = false
  for (let at = 0; at < text.length;) {
    directive.lastIndex = line.lastIndex = at
    const match = directive.exec(text)
    const [whole, name, value] = match ?? line.exec(text) ?? ['']
    if (whole === '') break
    if (name !== undefined && value !== undefined) {
      const start = at + whole.indexOf(value, whole.indexOf('=') + 1)
      found.push({ name, written: value.trimEnd(), start, isScoped })
    } else if (/^[ \t]*\[/.test(whole)) isScoped = /^[ \t]*\[(?:PATH|HOST)=/i.test(whole)
    at += whole.length
  }
  return found
}

/** Sets a directive where PHP takes it from, which is its last mention; every other byte stays. */
export function setIniValue(text: string, name: string, written: string): string {
  if (/[\n\r\0]/.test(written)) throw new Error(`the value of ${name} must be one line`)
  const former = readIni(text).findLast((each) => each.name === name && !each.isScoped)
  if (former !== undefined)
    return text.slice(0, former.start) + written + text.slice(former.start + former.written.length)
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const scoped = text.search(/^[ \t]*\[(?:PATH|HOST)=/im)
  const at = scoped === -1 ? text.length : scoped
  const gap = at > 0 && text[at - 1] !== '\n' ? end : ''
  return `${text.slice(0, at)}${gap}${name} = ${written}${end}${text.slice(at)}`
}

/** Removes the last mention of a directive with its line; every other byte stays. */
export function removeIniValue(text: string, name: string): string {
  const former = readIni(text).findLast((each) => each.name === name && !each.isScoped)
  if (former === undefined) return text
  const start = text.lastIndexOf('\n', former.start - 1) + 1
  const end = text.indexOf('\n', former.start + former.written.length)
  return text.slice(0, start) + (end === -1 ? '' : text.slice(end + 1))
}

/** Returns the value of a directive as written where PHP takes it from; undefined if it is not there. */
export const writtenIn = (text: string, name: string): string | undefined =>
  readIni(text).findLast((each) => each.name === name && !each.isScoped)?.written
