/** One row of `show stat`: a frontend, a backend, a server. Its columns are named as in the management guide, section 9.1. */
export type StatRow = Readonly<Record<string, string>>

const columns = (
  'pxname svname qcur qmax scur smax stot bin bout dreq dresp ereq econ eresp wretr status weight chkfail lastchg downtime type rate rate_max ' +
  'hrsp_1xx hrsp_2xx hrsp_3xx hrsp_4xx hrsp_5xx req_rate req_tot last_chk qtime ctime rtime ttime'
).split(' ')

/** Reads the CSV of `show stat`, of a hundred columns those above; HAProxy quotes a field that holds a comma or a quote. Undefined when it is no such answer. */
export function parseStats(text: string): readonly StatRow[] | undefined {
  const read = readTable(text)
  if (read === undefined) return undefined
  const places = columns.map((name) => read.names.indexOf(name))
  return read.lines.map((line) => {
    const fields = fieldsOf(line)
    const row: Record<string, string> = {}
    for (let at = 0; at < columns.length; at++) row[columns[at]!] = fields[places[at]!] ?? ''
    return row
  })
}

/** Reads the states alone, by `<proxy>/<server>`. */
export function parseStatuses(text: string): ReadonlyMap<string, string> {
  const read = readTable(text)
  const place = read?.names.indexOf('status') ?? -1
  return new Map(
    (read?.lines ?? []).map((line) => {
      const fields = line.split(',', place + 1) // what stands before it is names and numbers, and never quoted
      return [`${fields[0]}/${fields[1]}`, fields[place] ?? '']
    }),
  )
}

function readTable(
  text: string,
): { readonly names: readonly string[]; readonly lines: readonly string[] } | undefined {
  if (!text.startsWith('# pxname,')) return undefined
  const [head, ...lines] = text.slice(2).split('\n')
  return { names: head!.split(','), lines: lines.filter((line) => line.trim() !== '') }
}

function fieldsOf(line: string): readonly string[] {
  if (!line.includes('"')) return line.split(',')
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, field]) =>
    field!.startsWith('"') ? field!.slice(1, -1).replaceAll('""', '"') : field!,
  )
}
