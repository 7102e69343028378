import type { FileContent } from '../queries.ts'

export type Encoding = 'UTF-8' | 'UTF-8 with BOM' | 'Windows-1252' | 'UTF-16'

/** A file's text, with what it was written in. */
export interface TextFile {
  readonly text: string
  readonly encoding: Encoding
}

const mark = '\uFEFF'
const western = new TextDecoder('windows-1252')
const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [western.decode(Uint8Array.of(byte)), byte] as const))

/** Reads a file as text; undefined where it is none. */
export function textOf({ content, encoding }: Pick<FileContent, 'content' | 'encoding'>): TextFile | undefined {
  if (encoding === 'utf-8')
    return content.startsWith(mark) ? { text: content.slice(1), encoding: 'UTF-8 with BOM' } : { text: content, encoding: 'UTF-8' }
  const bytes = Uint8Array.from(atob(content), (each) => each.charCodeAt(0))
  if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes.length % 2 === 0) return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' }
  const isText = bytes.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0x0c || byte === 0x1b)
  return isText ? { text: western.decode(bytes), encoding: 'Windows-1252' } : undefined
}

/** A text as it is written; undefined where the encoding has no way to write one of its characters. */
export function writtenAs(text: string, encoding: Encoding): { readonly content: string; readonly encoding: 'utf-8' | 'base64' } | undefined {
  if (encoding === 'UTF-8') return { content: text, encoding: 'utf-8' }
  if (encoding === 'UTF-8 with BOM') return { content: mark + text, encoding: 'utf-8' }
  const bytes = encoding === 'UTF-16' ? wideBytes(mark + text) : Array.from(text, (each) => byteOf.get(each))
  return bytes.every((byte) => byte !== undefined) ? { content: base64(bytes), encoding: 'base64' } : undefined
}

/** What ends the lines of a text, in words. */
export function lineEndsOf(text: string): string {
  const windows = text.split('\r\n').length - 1
  const all = text.split('\n').length - 1
  return windows === 0 ? 'LF' : windows === all ? 'CRLF' : 'LF and CRLF'
}

function wideBytes(text: string): readonly number[] {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)).flatMap((unit) => [unit & 0xff, unit >> 8])
}

function base64(bytes: readonly number[]): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.slice(at, at + 8192))
  return btoa(text)
}
