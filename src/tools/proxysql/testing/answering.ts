/** The parts of a connection of mysql2's server that answer. */
export interface Answering {
  writeOk(fields?: object): void
  writeError(error: { readonly code: number; readonly message: string }): void
  writeTextResult(rows: readonly object[], columns: readonly object[]): void
}

/** Writes rows; all columns are text. */
export function writeRows(
  answer: Answering,
  rows: readonly Readonly<Record<string, unknown>>[],
  names: readonly string[],
): void {
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value))
  const base = { catalog: 'def', schema: '', table: '', orgTable: '', characterSet: 33, columnLength: 256 }
  answer.writeTextResult(
    rows.map((row) => Object.fromEntries(names.map((name) => [name, text(row[name])]))),
    names.map((name) => ({ ...base, name, orgName: name, columnType: 253, flags: 0, decimals: 0 })),
  )
}
