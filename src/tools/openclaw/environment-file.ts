/** Variables by name. */
export type Variables = Readonly<Record<string, string>>

const line = /^([A-Za-z_][A-Za-z0-9_]*)=(?:'([^']*)'|`([^`]*)`|"([^"\\]*)")$/

/** Parses the file of secrets as `renderEnvironment` writes it; other lines are left out. */
export function parseEnvironment(text: string): Variables {
  return Object.fromEntries(
    text.split('\n').flatMap((each) => {
      const [, name, single, back, double] = line.exec(each) ?? []
      return name === undefined ? [] : [[name, single ?? back ?? double ?? '']]
    }),
  )
}

/** Renders variables for `node --env-file`, sorted; a value that cannot be quoted is a bug of the caller. */
export function renderEnvironment(variables: Variables): string {
  const lines = Object.entries(variables)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => {
      const quoted = quotedValue(value)
      if (quoted === undefined) throw new RangeError(`the value of ${name} cannot be written`)
      return `${name}=${quoted}`
    })
  return `# Written by Hostreeve: the secrets of the assistant.\n${lines.join('\n')}\n`
}

/**
 * Quotes a value; undefined if it has a control character, or all three kinds of quotation marks. Node's reader has
 * no escapes but `\n` within double quotes.
 */
export function quotedValue(value: string): string | undefined {
  if (/[\u0000-\u001f\u007f]/.test(value)) return undefined
  if (!value.includes("'")) return `'${value}'`
  if (!value.includes('`')) return `\`${value}\``
  return value.includes('"') || value.includes('\\') ? undefined : `"${value}"`
}
