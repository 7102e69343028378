const firstByte = 0xdc80 // bytes from 0x80 that are no UTF-8 stand as U+DC80 to U+DCFF, as Python keeps them
const escaped = /[\udc80-\udcff]/
const encoder = new TextEncoder()
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** How a request names a path: text, or its bytes where they are not UTF-8. */
export type WirePath = { readonly path: string } | { readonly path_b64: string }

/** The path of a reply as the pages keep it: any bytes survive, and `/` still parts it. */
export function pathFrom(text: string, base64?: string): string {
  return base64 === undefined ? text : decode(Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0)))
}

/** Whether a path has bytes that are not UTF-8. */
export function isOdd(path: string): boolean {
  return escaped.test(path) && !path.isWellFormed()
}

/** A path for a request. */
export function wirePath(path: string): WirePath {
  return isOdd(path) ? { path_b64: base64Of(path) } : { path }
}

/** The bytes of a path in base64. */
export function base64Of(path: string): string {
  return btoa(String.fromCharCode(...bytesOf(path)))
}

/** A path for people: bytes that are not UTF-8 are shown as \xE9, characters that nobody sees, or that turn the text around, as \n or \u202E. */
export function shown(path: string): string {
  if (!isOdd(path) && !unseen.test(path)) return path
  return Array.from(path, (each) =>
    isByte(each) ? `\\x${hex(codeOf(each) - firstByte + 0x80, 2)}` : unseen.test(each) ? escapeOf(each) : each,
  ).join('')
}

// eslint-disable-next-line no-control-regex
const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/
const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const escapeOf = (each: string): string => escapes[each] ?? `\\u${hex(codeOf(each), 4)}`
const hex = (code: number, digits: number): string => code.toString(16).toUpperCase().padStart(digits, '0')

function bytesOf(path: string): readonly number[] {
  return Array.from(path, (each) => (isByte(each) ? [codeOf(each) - firstByte + 0x80] : [...encoder.encode(each)])).flat()
}

function decode(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length;) {
    const length = [1, 2, 3, 4].find((count) => at + count <= bytes.length && isText(bytes.subarray(at, at + count))) ?? 0
    text += length > 0 ? strict.decode(bytes.subarray(at, at + length)) : String.fromCharCode(firstByte - 0x80 + (bytes[at] ?? 0x80))
    at += Math.max(1, length)
  }
  return text
}

function isText(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes)
    return true
  } catch {
    return false // the bytes are no character
  }
}

const codeOf = (each: string): number => each.codePointAt(0) ?? 0
const isByte = (each: string): boolean => each.length === 1 && escaped.test(each)
