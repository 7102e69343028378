import type { FileContent } from '../queries.ts'

export type Encoding = FileContent['encoding']

/** The display names of the encodings. */
export const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8 with BOM',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'iso-8859-1': 'ISO 8859-1',
  'windows-1252': 'Windows-1252',
  base64: 'not text',
}

/** Returns the display name of a text's line endings. */
export function lineEndsOf(text: string): string {
  const windows = text.split('\r\n').length - 1
  const all = text.split('\n').length - 1
  return windows === 0 ? 'LF' : windows === all ? 'CRLF' : 'LF and CRLF'
}

/** Returns true if an encoding can represent every character of a text. */
export function canWrite(text: string, encoding: Encoding): boolean {
  if (encoding === 'iso-8859-1') return !/[^\0-\xff]/.test(text)
  return encoding !== 'windows-1252' || !/[^\0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/.test(text)
}
