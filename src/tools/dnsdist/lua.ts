/** Returns a Lua string literal of the bytes of a text; no text ends the literal, whatever it contains. */
export function luaString(text: string): string {
  const escaped = [...Buffer.from(text)].map((byte) => {
    const character = String.fromCharCode(byte)
    return /[A-Za-z0-9 _.,:/@=+*-]/.test(character) ? character : `\\${String(byte).padStart(3, '0')}`
  })
  return `"${escaped.join('')}"`
}

/** Returns a Lua table of strings. */
export const luaStrings = (texts: readonly string[]): string => `{${texts.map(luaString).join(', ')}}`
