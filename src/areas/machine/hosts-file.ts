/** The address by which Debian resolves the name of a host without a fixed one (hosts(5)). */
const ownAddress = '127.0.1.1'

/**
 * Returns /etc/hosts with a new name for the host: in each line that has the former name, and in the line of
 * 127.0.1.1, which is added if no line has the host's name. Comments and other names stay.
 */
export function renamed(text: string, former: string, name: string): string {
  const lines = text.split('\n').map((line) => renamedLine(line, former, name))
  const all = lines.join('\n')
  if (lines.some((line) => namesIn(line).includes(name))) return all
  return `${all}${all === '' || all.endsWith('\n') ? '' : '\n'}${ownAddress}\t${namesOf(name).join(' ')}\n`
}

function renamedLine(line: string, former: string, name: string): string {
  const [, address = '', names = '', rest = ''] = /^(\s*[^\s#]+\s+)([^#]*?)(\s*(?:#.*)?)$/.exec(line) ?? []
  const all = names.split(/\s+/).filter(Boolean)
  const formerNames = namesOf(former)
  if (!all.some((each) => formerNames.includes(each)) && address.trim() !== ownAddress) return line
  if (former === 'localhost') return line
  const others = all.filter((each) => !formerNames.includes(each) && !namesOf(name).includes(each))
  return `${address}${[...namesOf(name), ...others].join(' ')}${rest}`
}

const namesIn = (line: string): readonly string[] => line.replace(/#.*/, '').trim().split(/\s+/).slice(1)

/** A name, and before its domain the short one. */
function namesOf(name: string): readonly string[] {
  const short = name.split('.')[0] ?? name
  return short === name ? [name] : [name, short]
}
