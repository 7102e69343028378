/** Joins the parts of a path in a home, without a leading slash. */
export function joinPath(folder: string, name: string): string {
  return [...folder.split('/'), ...name.split('/')].filter(Boolean).join('/')
}

/** Returns the folder that contains a path; the home is the empty path. */
export function parentOf(path: string): string {
  return path.split('/').filter(Boolean).slice(0, -1).join('/')
}

/** Returns the last part of a path. */
export function nameOf(path: string): string {
  return path.split('/').findLast(Boolean) ?? ''
}

/** Returns true if a path is a folder or is inside it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

/** Returns the folders from the home down to a path, inclusive. */
export function crumbsOf(path: string): readonly { readonly name: string; readonly path: string }[] {
  const parts = path.split('/').filter(Boolean)
  return [
    { name: 'Home', path: '' },
    ...parts.map((name, index) => ({ name, path: parts.slice(0, index + 1).join('/') })),
  ]
}

/** Splits a name into stem and extension; a leading dot does not start an extension. */
export function splitName(name: string): { readonly stem: string; readonly ending: string } {
  const at = /(?:\.tar)?\.[^.\s]{1,12}$/i.exec(name)?.index ?? -1
  return at > 0 ? { stem: name.slice(0, at), ending: name.slice(at) } : { stem: name, ending: '' }
}

/** Returns the name of the second file with a name: `a.txt` becomes `a (2).txt`. */
export function otherName(name: string, count: number): string {
  const { stem, ending } = splitName(name)
  return `${stem} (${count})${ending}`
}

const archiveEndings = /\.(?:zip|tar|tar\.(?:gz|xz|zst|bz2)|tgz|txz|tzst|7z)$/i

/** Returns true if the panel can extract the file. */
export function isArchive(name: string): boolean {
  return archiveEndings.test(name)
}
