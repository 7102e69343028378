import type { SqlConnection, SqlStatement } from '../../host/apply/steps.ts'

/** Reads variables of the running server by their names with underscores; one that it does not have is absent. */
export async function readRunning(
  connection: SqlConnection,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await connection.run(namedIn(names))
  return new Map(rows.map(({ name, value }) => [String(name).toLowerCase(), String(value ?? '')]))
}

const namedIn = (names: readonly string[]): SqlStatement => ({
  parts: [
    'select variable_name as name, variable_value as value from information_schema.global_variables where variable_name in (',
    ...names.slice(1).map(() => ', '),
    ')',
  ],
  values: names.map((name) => name.toUpperCase()),
})
