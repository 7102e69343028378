/** A path in a home from its parts, without a leading slash. */
export function joinPath(folder: string, name: string): string {
  return [...folder.split('/'), ...name.split('/')].filter(Boolean).join('/')
}

/** The folder that a path lies in; the home is the empty path. */
export function parentOf(path: string): string {
  return path.split('/').filter(Boolean).slice(0, -1).join('/')
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.split('/').findLast(Boolean) ?? ''
}

/** Whether a path is a folder or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

/** The folders above and at a path, from the home down. */
export function crumbsOf(path: string): readonly { readonly name: string; readonly path: string }[] {
  const parts = path.split('/').filter(Boolean)
  return [
    { name: 'Home', path: '' },
    ...parts.map((name, index) => ({ name, path: parts.slice(0, index + 1).join('/') })),
  ]
}

/** A name in two: what tells one file from another, and the ending with its dots; a dot at the begin is no ending. */
export function splitName(name: string): { readonly stem: string; readonly ending: string } {
  const at = /(?:\.tar)?\.[^.\s]{1,12}$/i.exec(name)?.index ?? -1
  return at > 0 ? { stem: name.slice(0, at), ending: name.slice(at) } : { stem: name, ending: '' }
}

/** The name that a second file of a name gets: `a.txt` becomes `a (2).txt`. */
export function otherName(name: string, count: number): string {
  const { stem, ending } = splitName(name)
  return `${stem} (${count})${ending}`
}

const archiveEndings = /\.(?:zip|tar|tar\.(?:gz|xz|zst|bz2)|tgz|txz|tzst|7z)$/i

/** Whether the panel can unpack it. */
export function isArchive(name: string): boolean {
  return archiveEndings.test(name)
}
