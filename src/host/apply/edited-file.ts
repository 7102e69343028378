import { readFile, stat } from 'node:fs/promises'
import { Unavailable } from '../../core/problem.ts'
import type { EditedTool } from './edited-tool.ts'
import { digestOf, type FileFacts, FileTooLarge, type Files, type PreparedFile } from '../files.ts'

/** The file as stored. A text that is not UTF-8 is read byte for byte, so that writing it back restores the same bytes. */
export interface LiveFile {
  readonly text: string
  readonly encoding: 'utf8' | 'latin1'
  /** Undefined if there is no file. */
  readonly digest: string | undefined
  readonly facts: FileFacts | undefined
}

const maxBytes = 16 * 1024 * 1024

/** Reads a configuration file without losing a byte; a missing one is an empty text. */
export async function readLive(files: Files, path: string): Promise<LiveFile> {
  const facts = await files.facts(path)
  if (facts === undefined) return { text: '', encoding: 'utf8', digest: undefined, facts }
  if (facts.kind !== 'file')
    throw Unavailable(`${path} is not a regular file, and the panel edits only those`)
  if (facts.sizeBytes > maxBytes) throw FileTooLarge(path)
  const bytes = await readFile(files.real(path))
  return { ...decode(bytes), digest: digestOf(bytes), facts }
}

/** True if content, owner and mode are the same; a candidate has the owner and mode of the file that it was prepared for. */
export function isSameFile(one: LiveFile, other: LiveFile): boolean {
  return (
    one.digest === other.digest &&
    one.facts?.mode === other.facts?.mode &&
    one.facts?.uid === other.facts?.uid &&
    one.facts?.gid === other.facts?.gid
  )
}

/** Returns when the file was last replaced or written to, in milliseconds since 1970. */
export async function changedAt(files: Files, path: string): Promise<number> {
  return (await stat(files.real(path))).ctimeMs
}

/** True if a file was put in place before a time, in milliseconds since 1970; a missing one has nothing to load. */
export async function isOlder(files: Files, path: string, time: number): Promise<boolean> {
  return (await files.facts(path)) === undefined || (await changedAt(files, path)) <= time
}

/** Writes a candidate next to the file, in the file's encoding. */
export async function prepareText(
  files: Files,
  { path, rights }: Pick<EditedTool, 'path' | 'rights'>,
  text: string,
  { encoding }: LiveFile,
): Promise<PreparedFile> {
  const fits = encoding === 'latin1' && /^[\u0000-\u00ff]*$/.test(text)
  const options = rights && { rights: await rights() }
  return files.prepare(path, Buffer.from(text, fits ? 'latin1' : 'utf8'), options)
}

function decode(bytes: Uint8Array): Pick<LiveFile, 'text' | 'encoding'> {
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      encoding: 'utf8',
    }
  } catch {
    return { text: Buffer.from(bytes).toString('latin1'), encoding: 'latin1' }
  }
}
