/** The part of a patch for one file. */
export interface PatchPart {
  readonly path: string
  readonly diff: string
}

/** Splits a git patch by file. */
export function partsOfPatch(patch: string): readonly PatchPart[] {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .map((part) => ({ path: pathOfPart(part), diff: bodyOf(part) }))
}

/** The name after the change, or before it if the file was deleted. */
function pathOfPart(part: string): string {
  const after = /^\+\+\+ (?:b\/)?(.+)$/m.exec(part)?.[1]?.replace(/\t$/, '')
  const before = /^--- (?:a\/)?(.+)$/m.exec(part)?.[1]?.replace(/\t$/, '')
  const renamed = /^rename to (.+)$/m.exec(part)?.[1]
  const named = /^diff --git a\/(.+) b\/\1$/m.exec(part)?.[1]
  return renamed ?? (after !== undefined && after !== '/dev/null' ? after : (before ?? named ?? 'a file'))
}

/** Returns the hunks without the header lines. */
function bodyOf(part: string): string {
  const at = part.search(/^@@ /m)
  return at >= 0 ? part.slice(at) : part.split('\n').slice(1).join('\n')
}
