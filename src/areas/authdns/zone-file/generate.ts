import { ZoneFileInvalid } from '../problems.ts'

/** The records that one `$GENERATE` may stand for: those of a network of 16 bits. */
const mostGenerated = 65_536
const widest = 63

/** Returns the numbers of a range such as `1-254` or `0-100/2`. */
export function rangeOf(text: string, line: number): readonly number[] {
  const [, from = '', to = '', by = '1'] = /^(\d{1,9})-(\d{1,9})(?:\/(\d{1,9}))?$/.exec(text) ?? []
  const [start, stop, step] = [Number(from), Number(to), Number(by)]
  if (from === '' || stop < start || step < 1)
    throw ZoneFileInvalid(`bind_data: line ${line}: $GENERATE needs a range such as 1-254 or 0-100/2`)
  const count = Math.floor((stop - start) / step) + 1
  if (count > mostGenerated)
    throw ZoneFileInvalid(
      `bind_data: line ${line}: $GENERATE makes at most ${mostGenerated} records, not ${count}`,
    )
  return Array.from({ length: count }, (_, at) => start + at * step)
}

/** Puts a number into a template: `$`, or `${offset,width,base}`; `\$` and `$$` are a dollar sign. */
export function filled(template: string, number: number, line: number): string {
  return template.replaceAll(/\\\$|\$\$|\$\{([^}]*)\}|\$/g, (found, form?: string) => {
    if (found === '\\$' || found === '$$') return '$'
    return form === undefined ? String(number) : formatted(form, number, line)
  })
}

function formatted(form: string, number: number, line: number): string {
  const [, offset, width = '0', base = 'd'] = /^(-?\d{1,9})(?:,(\d{1,2})(?:,([doxX]))?)?$/.exec(form) ?? []
  const value = number + Number(offset)
  if (offset === undefined || value < 0 || Number(width) > widest)
    throw ZoneFileInvalid(
      `bind_data: line ${line}: $GENERATE takes no \${${form}}: an offset, a width and d, o, x or X`,
    )
  const radix = base === 'o' ? 8 : base === 'd' ? 10 : 16
  const digits = value.toString(radix).padStart(Number(width), '0')
  return base === 'X' ? digits.toUpperCase() : digits
}
