const firstByte = 0xdc80 // as in Python, bytes from 0x80 that are not UTF-8 become U+DC80 to U+DCFF
const escaped = /[\udc80-\udcff]/
const encoder = new TextEncoder()
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A path in a request: text, or its bytes if they are not UTF-8. */
export type WirePath = { readonly path: string } | { readonly path_b64: string }

/** Decodes the path of a reply for use in pages: all bytes survive, and `/` still separates its parts. */
export function pathFrom(text: string, base64?: string): string {
  return base64 === undefined
    ? text
    : decode(
        Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0)),
      )
}

/** Returns true if a path contains bytes that are not UTF-8. */
export function isOdd(path: string): boolean {
  return escaped.test(path) && !path.isWellFormed()
}

/** Encodes a path for a request. */
export function wirePath(path: string): WirePath {
  return isOdd(path) ? { path_b64: base64Of(path) } : { path }
}

/** Returns the bytes of a path in base64. */
export function base64Of(path: string): string {
  return btoa(String.fromCharCode(...bytesOf(path)))
}

/**
 * Formats a path for display: bytes that are not UTF-8 as \xE9, invisible and bidirectional characters as \n
 * or \u202E.
 */
export function shown(path: string): string {
  if (!isOdd(path) && !unseen.test(path)) return path
  return Array.from(path, (each) =>
    isByte(each)
      ? `\\x${hex(codeOf(each) - firstByte + 0x80, 2)}`
      : unseen.test(each)
        ? escapeOf(each)
        : each,
  ).join('')
}

/**
 * Returns the name for an edited display text: an escape such as `\n` or `\xE9` that was not edited keeps
 * its meaning.
 */
export function nameEdited(former: string, text: string): string {
  if (shown(former) === former) return text
  const parts = Array.from(former, (each) => ({ each, as: shown(each) }))
  const most = mostKept(
    parts.map(({ as }) => as),
    text,
  )
  let [name, part, at] = ['', 0, 0]
  while (at < text.length) {
    const { each, as } = parts[part] ?? { each: '', as: '' }
    const best = most[part]?.[at] ?? 0
    if (
      as !== '' &&
      text.startsWith(as, at) &&
      best === as.length + (most[part + 1]?.[at + as.length] ?? 0)
    ) {
      ;[name, part, at] = [name + each, part + 1, at + as.length]
    } else if (as !== '' && best === most[part + 1]?.[at]) part++
    else name += text.charAt(at++)
  }
  return name
}

/**
 * Returns how many characters of a text can be matched to ordered parts, for each start part and start
 * character.
 */
function mostKept(parts: readonly string[], text: string): readonly (readonly number[])[] {
  const most = Array.from({ length: parts.length + 1 }, () =>
    Array.from({ length: text.length + 1 }, () => 0),
  )
  for (let part = parts.length - 1; part >= 0; part--) {
    const [row, next, as] = [most[part] ?? [], most[part + 1] ?? [], parts[part] ?? '']
    for (let at = text.length - 1; at >= 0; at--) {
      const kept = text.startsWith(as, at) ? as.length + (next[at + as.length] ?? 0) : 0
      row[at] = Math.max(kept, next[at] ?? 0, row[at + 1] ?? 0)
    }
  }
  return most
}

const unseen = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/
const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const escapeOf = (each: string): string => escapes[each] ?? `\\u${hex(codeOf(each), 4)}`
const hex = (code: number, digits: number): string => code.toString(16).toUpperCase().padStart(digits, '0')

function bytesOf(path: string): readonly number[] {
  return Array.from(path, (each) =>
    isByte(each) ? [codeOf(each) - firstByte + 0x80] : [...encoder.encode(each)],
  ).flat()
}

function decode(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length;) {
    const length =
      [1, 2, 3, 4].find((count) => at + count <= bytes.length && isText(bytes.subarray(at, at + count))) ?? 0
    text +=
      length > 0
        ? strict.decode(bytes.subarray(at, at + length))
        : String.fromCharCode(firstByte - 0x80 + (bytes[at] ?? 0x80))
    at += Math.max(1, length)
  }
  return text
}

function isText(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes)
    return true
  } catch {
    return false // the bytes are not a character
  }
}

const codeOf = (each: string): number => each.codePointAt(0) ?? 0
const isByte = (each: string): boolean => each.length === 1 && escaped.test(each)
