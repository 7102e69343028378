import { archiveEndings } from '../../../host/owner/index.ts'

const fallback = 'downloaded_file'
const mostBytes = 240 // room for a suffix within the 255 bytes of a file name

/** Returns the file name of a URL: the last component of its path, decoded and made a valid name. */
export function nameFromUrl({ pathname }: URL): string {
  const name = decoded(pathname.split('/').at(-1) ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}/\\]/gu, '_')
    .replace(/^\.hostreeve-/, '_hostreeve-')
  return name === '' || name === '.' || name === '..' ? fallback : shortened(name)
}

/** Adds a number before the file extension, as browsers do: `report (1).tar.gz`. */
export function numbered(name: string, number: number): string {
  if (number === 0) return name
  const { stem, ending } = split(name)
  return `${stem} (${number})${ending}`
}

// Escapes that are not UTF-8 stay as they are.
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function split(name: string): { readonly stem: string; readonly ending: string } {
  const archive = archiveEndings.find((ending) => name.toLowerCase().endsWith(ending))
  const at = archive === undefined ? name.lastIndexOf('.') : name.length - archive.length
  return at <= 0 ? { stem: name, ending: '' } : { stem: name.slice(0, at), ending: name.slice(at) }
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= mostBytes) return name
  const { stem, ending } = split(name)
  const kept = Buffer.byteLength(ending) > 40 ? '' : ending
  const room = mostBytes - Buffer.byteLength(kept)
  return `${new TextDecoder().decode(Buffer.from(stem).subarray(0, room), { stream: true })}${kept}` // a character cut in two is dropped
}
