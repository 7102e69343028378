/** The line of an option in an option file, with the place of its value. */
interface OptionLine {
  readonly name: string
  readonly value: string
  readonly line: number
  readonly start: number
}

const group = /^\s*\[([^\]]*)\]/
const option = /^(\s*([A-Za-z][\w-]*)\s*)(?:(=\s*)("[^"]*"|'[^']*'|[^#\r]*?))?\s*(?:#.*)?\r?$/

/** Options may be written with dashes or underscores; statements know them by underscores. */
export const optionName = (written: string): string => written.replaceAll('-', '_').toLowerCase()

/** Returns the value of a server option where the server takes it from, the last mention; undefined if it is not there. */
export function optionIn(text: string, name: string): string | undefined {
  const { value } = find(text, name) ?? {}
  return value?.replace(/^(["'])(.*)\1$/, '$2')
}

/** Sets a server option in an option file, or removes its last mention with null; every other byte stays. */
export function withOption(text: string, name: string, value: string | null): string {
  if (value !== null && !/^[\w./*:,-]*$/.test(value)) throw new Error(`${name} cannot be written as ${value}`)
  const found = find(text, name)
  const lines = text.split('\n')
  if (value === null)
    return found === undefined ? text : withoutEmptyGroup(lines.toSpliced(found.line, 1).join('\n'))
  if (found !== undefined) {
    const was = lines[found.line] ?? ''
    const rest = was.slice(found.start + found.value.length)
    return lines.with(found.line, `${was.slice(0, found.start)}${value}${rest}`).join('\n')
  }
  const at = lines.findLastIndex((line) => group.exec(line)?.[1] === 'mysqld')
  if (at !== -1) return lines.toSpliced(at + 1, 0, `${name} = ${value}`).join('\n')
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}[mysqld]\n${name} = ${value}\n`
}

/** A file that was empty before the first option is empty again after the last. */
const withoutEmptyGroup = (text: string): string => (text === '[mysqld]\n' ? '' : text)

function find(text: string, name: string): OptionLine | undefined {
  let isServer = false
  const found = text.split('\n').flatMap((line, at): OptionLine[] => {
    const opened = group.exec(line)?.[1]
    if (opened !== undefined) isServer = opened === 'mysqld'
    const [, before = '', written, equals, value] = option.exec(line) ?? []
    if (!isServer || written === undefined || value === undefined || equals === undefined) return []
    return [{ name: optionName(written), value, line: at, start: before.length + equals.length }]
  })
  return found.findLast((each) => each.name === name)
}
