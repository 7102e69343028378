/** A line of a crontab (crontab(5)). */
export type CronLine =
  | { readonly kind: 'none' }
  | { readonly kind: 'variable'; readonly name: string; readonly value: string }
  | { readonly kind: 'job'; readonly schedule: string; readonly command: string }

const names = 'reboot|yearly|annually|monthly|weekly|daily|midnight|hourly'
const named = new RegExp(`^(@(?:${names}))[ \\t]+(\\S.*)$`)
const fields = /^((?:\S+[ \t]+){4}\S+)[ \t]+(\S.*)$/
const variable = /^([A-Za-z_]\w*)[ \t]*=[ \t]*(.*)$/

/** Parses a line; undefined if cron would refuse it. */
export function parseLine(text: string): CronLine | undefined {
  const line = text.trim()
  if (line === '' || line.startsWith('#')) return { kind: 'none' }
  const [, name, value = ''] = variable.exec(line) ?? []
  if (name !== undefined) return { kind: 'variable', name, value: unquoted(value) }
  const [, schedule = '', command = ''] = named.exec(line) ?? fields.exec(line) ?? []
  if (command === '') return undefined
  return { kind: 'job', schedule: schedule.replaceAll(/[ \t]+/g, ' '), command }
}

/** Without the quotes around it, which cron removes. */
const unquoted = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value

/** What cron passes to the shell: the text up to the first %, and the rest as its input, in which each % is a new line. */
export function passedBy(command: string): { readonly script: string; readonly input: string } {
  const [script = '', ...lines] = command.split(/(?<!\\)%/).map((part) => part.replaceAll('\\%', '%'))
  return { script, input: lines.length === 0 ? '' : `${lines.join('\n')}\n` }
}
