import { textOf } from '../../../host/owner/index.ts'
import { pathFields, type TextPath } from '../paths.ts'
import { findUser, type Users } from '../../users/index.ts'
import type { Version } from './model.ts'
import type { VersionRow } from './store.ts'

/** Returns the path of a version in the form that the helper takes. */
export function rowPath(row: VersionRow): TextPath {
  return { field: 'path', path: textOf(Buffer.from(row.path_bytes, 'latin1')) }
}

/** Shows versions in a reply. */
export async function showVersions(rows: readonly VersionRow[], users: Users): Promise<Version[]> {
  const ids = new Set(rows.flatMap((row) => [row.written_by ?? [], row.replaced_by ?? []].flat()))
  const people = new Map(
    await Promise.all([...ids].map(async (id) => [id, await findUser(users, id)] as const)),
  )
  const who = (id: number | null) => {
    const person = id === null ? undefined : people.get(id)
    return person === undefined ? null : { id: person.id, email: person.email }
  }
  return rows.map((row) => ({
    id: row.id,
    ...pathFields(rowPath(row).path),
    size_bytes: row.size_bytes,
    sha256: row.sha256,
    is_kept: row.sha256 !== null,
    ...(row.not_kept !== null && { not_kept: row.not_kept }),
    written_at: row.written_at,
    written_by: who(row.written_by),
    written_through: row.written_through,
    replaced_at: row.replaced_at,
    replaced_by: who(row.replaced_by),
    replaced_through: row.replaced_through,
  }))
}
