interface AreaWithPages {
  readonly byPath: Readonly<Record<string, unknown>>
}

/** Returns the area that a path belongs to: by its longest page that begins the path. */
export function areaOfPath<Area extends AreaWithPages>(
  path: string,
  areas: Iterable<Area>,
): Area | undefined {
  const found = [...areas].flatMap((area) =>
    Object.keys(area.byPath)
      .map((page) => page.split('/$')[0] ?? page)
      .filter((page) => path === page || path.startsWith(`${page}/`))
      .map((page) => ({ area, length: page.length })),
  )
  return found.toSorted((a, b) => b.length - a.length)[0]?.area
}
