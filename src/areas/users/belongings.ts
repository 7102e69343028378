import type { RowWrite, Step } from '../../core/change.ts'
import type { Lock } from '../../core/lock.ts'
import { point } from '../../core/point.ts'
import type { UserRow } from './store.ts'

/** What becomes of the home of a deleted user: it stays and its account is locked, or both are removed. */
export type FilesOfDeleted = 'keep' | 'archive' | 'remove'

/** The deletion of a user, as the areas see it. */
export interface Deletion {
  readonly user: UserRow
  readonly files: FilesOfDeleted
  /** What becomes of databases: those that stay have no owner; `of-websites` removes those of the websites alone. */
  readonly databases: 'keep' | 'remove' | 'of-websites'
  /** True if manually edited files may be replaced or removed. */
  readonly overwrite: boolean
}

/** What one area has of a user who is deleted, and what happens to it. */
export interface Belongings {
  /** What no step shows, in a sentence each: `2 sessions end`. */
  readonly details?: readonly string[]
  readonly locks?: readonly Lock[]
  /** Run before the Linux account is locked or removed. */
  readonly steps?: readonly Step[]
  /** Written before the row of the user. */
  readonly rows?: readonly RowWrite[]
}

/** What areas have of a user, to be ended, removed or kept with the deletion of that user. */
export const belongings = point<(deletion: Deletion) => Promise<Belongings>>('belongings of a deleted user')
