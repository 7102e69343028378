import type { Scalar, StepKind } from '../../../core/change.ts'
import { type State, stateStep, type Was } from '../../../core/steps.ts'
import { plannedObject } from './planned-object.ts'

/** The parts of a statement, with the values between them; a connection converts those to placeholders and quoted names. */
export interface SqlStatement {
  readonly parts: readonly string[]
  readonly values: readonly (Scalar | SqlIdentifier)[]
}

/** The name of a database, a table or an account, to be quoted as the server requires. */
export interface SqlIdentifier {
  readonly identifier: string
}

export type SqlRow = Readonly<Record<string, Scalar>>

/** A connection to a database server, with its own limits of time and size. */
export interface SqlConnection {
  run(statement: SqlStatement): Promise<readonly SqlRow[]>
  /** The ids by which the server knows the connections that are open now; absent where there are none. */
  openIds?(): ReadonlySet<number>
}

/** Builds a statement: a value never becomes a part of its text. */
export const sql = (
  parts: TemplateStringsArray,
  ...values: readonly (Scalar | SqlIdentifier)[]
): SqlStatement => ({
  parts,
  values,
})

export const identifier = (name: string): SqlIdentifier => ({ identifier: name })

interface SqlStepDraft<Args, StateOf> {
  readonly name: string
  readonly title: (args: Args) => string
  /** The name of the changed object in the plan. */
  readonly object: (args: Args) => string
  readonly read: (args: Args) => SqlStatement
  /** Returns the state from the rows; undefined if the object does not exist. */
  readonly stateOf: (rows: readonly SqlRow[]) => StateOf | undefined
  readonly wanted: (args: Args, was: StateOf | undefined) => StateOf | undefined
  /** Takes the object from one state to another. The server carries out each statement atomically. */
  readonly write: (
    args: Args,
    state: StateOf | undefined,
    now: StateOf | undefined,
  ) => readonly SqlStatement[]
  /** Formats a state for a plan: without secrets. */
  readonly show: (state: StateOf) => string
}

/** Makes a step on an object in a database server; its plan shows the object before and after. */
export function sqlStep<Args, StateOf extends State>(
  connection: SqlConnection,
  { name, title, object, read, stateOf, wanted, write, show }: SqlStepDraft<Args, StateOf>,
): StepKind<Args, Was<StateOf>, null> {
  const present = async (args: Args) => stateOf(await connection.run(read(args)))
  return stateStep<Args, StateOf>({
    name,
    plan: (args) => ({ title: title(args) }),
    ...plannedObject({ object, read: present, wanted, show }),
    read: present,
    wanted,
    write: async (args, state, { now }) => {
      for (const statement of write(args, state, now)) await connection.run(statement)
    },
  })
}
