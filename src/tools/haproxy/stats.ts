/**
 * One row of `show stat`: a frontend, a backend or a server. Columns are named as in section 9.1 of the
 * management guide.
 */
export type StatRow = Readonly<Record<string, string>>

const columns = (
  'pxname svname qcur qmax scur smax stot bin bout dreq dresp ereq econ eresp wretr status weight chkfail lastchg downtime type rate rate_max ' +
  'hrsp_1xx hrsp_2xx hrsp_3xx hrsp_4xx hrsp_5xx req_rate req_tot last_chk qtime ctime rtime ttime'
).split(' ')

/**
 * Parses the CSV of `show stat`, of whose hundred columns only those above are kept; HAProxy quotes a field
 * that contains a comma or a quote. Undefined if the text is not such an answer.
 */
export function parseStats(text: string): readonly StatRow[] | undefined {
  const table = readTable(text)
  if (table === undefined) return undefined
  const indexes = columns.map((name) => table.names.indexOf(name))
  return table.lines.map((line) => {
    const fields = fieldsOf(line)
    const row: Record<string, string> = {}
    for (let at = 0; at < columns.length; at++) row[columns[at]!] = fields[indexes[at]!] ?? ''
    return row
  })
}

/** Parses only the states, by `<proxy>/<server>`. */
export function parseStatuses(text: string): ReadonlyMap<string, string> {
  const table = readTable(text)
  const index = table?.names.indexOf('status') ?? -1
  return new Map(
    (table?.lines ?? []).map((line) => {
      const fields = line.split(',', index + 1) // the fields before it are names and numbers, which are never quoted
      return [`${fields[0]}/${fields[1]}`, fields[index] ?? '']
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
