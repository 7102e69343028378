interface AreaWithPages<Icon> {
  readonly icon?: Icon
  readonly byPath: Readonly<Record<string, unknown>>
}

/** Returns the icon of the area that a path belongs to: by its longest page that begins the path. */
export function iconOfPath<Icon>(path: string, areas: Iterable<AreaWithPages<Icon>>): Icon | undefined {
  const found = [...areas].flatMap(({ icon, byPath }) =>
    Object.keys(byPath)
      .map((page) => page.split('/$')[0] ?? page)
      .filter((page) => path === page || path.startsWith(`${page}/`))
      .map((page) => ({ icon, length: page.length })),
  )
  return found.toSorted((a, b) => b.length - a.length)[0]?.icon
}
