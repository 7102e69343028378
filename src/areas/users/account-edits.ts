import type { RowWrite, Step } from '../../core/change.ts'
import { point } from '../../core/point.ts'
import type { UserEdit } from './model.ts'
import type { UserRow } from './store.ts'

/** An edit of a user, as the areas see it. */
export interface AccountEdit {
  readonly user: UserRow
  readonly edit: UserEdit
  /** Whether the user is suspended afterwards. */
  readonly isSuspended: boolean
}

/** What an area does for an edit of a user. */
export interface AccountEffects {
  readonly details?: readonly string[]
  readonly steps?: readonly Step[]
  readonly rows?: readonly RowWrite[]
}

/** How areas that let a user in change with an edit of that user. */
export const accountEdits = point<(edit: AccountEdit) => Promise<AccountEffects>>('edits of a user')
