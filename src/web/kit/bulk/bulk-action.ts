import type { Call } from '../../call.ts'

/** An action on the selected rows of a table; an area declares those of its list. */
export interface BulkAction<Row> {
  readonly label: string
  /** The effect, in a sentence above the list of rows. */
  readonly note: string
  readonly call: (row: Row) => Call
  /** False for rows that the action leaves out, such as those that are in the wanted state. */
  readonly appliesTo?: (row: Row) => boolean
  /** The plan of each row is shown before the action. */
  readonly isDestructive?: boolean
  /** Visitors are cut off until the action is reverted: its buttons are red. */
  readonly isCutOff?: boolean
}

type Noun = readonly [one: string, many: string]

/** The actions on the selected rows of a table. */
export interface Bulk<Row> {
  /** One row and several of them, such as website and websites. */
  readonly noun: Noun
  /** The name of a row, for people. */
  readonly nameOf: (row: Row) => string
  readonly actions: readonly BulkAction<Row>[]
  /** Reads the list again after an action. */
  readonly onDone: () => Promise<void>
}

/** An action on certain rows: each with its name and its change. */
export interface BulkWork {
  readonly label: string
  readonly noun: Noun
  readonly note: string
  readonly isDestructive: boolean
  readonly isRed: boolean
  readonly targets: readonly BulkTarget[]
  readonly onDone: () => Promise<void>
}

/** One row of a bulk action. */
export interface BulkTarget {
  readonly name: string
  readonly call: Call
}

/** Returns the work of an action on those of the selected rows that it applies to. */
export function workOn<Row>(bulk: Bulk<Row>, action: BulkAction<Row>, selected: readonly Row[]): BulkWork {
  const { label, note, isDestructive = false, isCutOff = false, appliesTo = () => true } = action
  const { noun, nameOf, onDone } = bulk
  const targets = selected.filter(appliesTo).map((row) => ({ name: nameOf(row), call: action.call(row) }))
  return { label, note, noun, isDestructive, isRed: isDestructive || isCutOff, targets, onDone }
}
