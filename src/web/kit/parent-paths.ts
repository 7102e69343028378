/** Returns the pages above a path, from the top: /websites for /websites/12. */
export function parentPaths(path: string, pages: ReadonlySet<string>): readonly string[] {
  const parts = path.split('/').slice(1)
  return parts
    .map((_, index) => `/${parts.slice(0, index).join('/')}`)
    .filter((parent) => parent !== '/' && pages.has(parent))
}
