/** One row of `show stat`: a frontend, a backend, a server. */
export type StatRow = Readonly<Record<string, string>>

/** Reads the CSV of `show stat`; HAProxy quotes a field that holds a comma or a quote. Undefined when it is no such answer. */
export function parseStats(text: string): readonly StatRow[] | undefined {
  if (!text.startsWith('# pxname,')) return undefined
  const lines = text
    .slice(2)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const names = lines[0]!.split(',')
  return lines.slice(1).map((line) => {
    const fields = fieldsOf(line)
    return Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']))
  })
}

function fieldsOf(line: string): readonly string[] {
  if (!line.includes('"')) return line.split(',')
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, field]) =>
    field!.startsWith('"') ? field!.slice(1, -1).replaceAll('""', '"') : field!,
  )
}
