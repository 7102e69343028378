/** A path in a home from its parts, without a leading slash. */
export function joinPath(folder: string, name: string): string {
  return [...folder.split('/'), name].filter(Boolean).join('/')
}

/** The folders above and at a path, from the home down. */
export function crumbsOf(path: string): readonly { readonly name: string; readonly path: string }[] {
  const parts = path.split('/').filter(Boolean)
  return [{ name: 'Home', path: '' }, ...parts.map((name, index) => ({ name, path: parts.slice(0, index + 1).join('/') }))]
}

/** Whether the panel can unpack it. */
export function isArchive(name: string): boolean {
  return /\.(?:tar|tar\.gz|tgz)$/i.test(name)
}
