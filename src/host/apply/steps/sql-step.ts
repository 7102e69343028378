import type { Scalar, StepKind } from '../../../core/change.ts'
import { type State, stateStep, type Was } from '../../../core/steps.ts'
import { plannedObject } from './planned-object.ts'

/** A statement in parts, with what stands between them; a connection makes placeholders and quoted names of it. */
export interface SqlStatement {
  readonly parts: readonly string[]
  readonly values: readonly (Scalar | SqlIdentifier)[]
}

/** The name of a database, a table or an account, to be quoted as the server wants it. */
export interface SqlIdentifier {
  readonly identifier: string
}

export type SqlRow = Readonly<Record<string, Scalar>>

/** A connection to a database server, with its own limits of time and size. */
export interface SqlConnection {
  run(statement: SqlStatement): Promise<readonly SqlRow[]>
}

/** Writes a statement: a value never becomes a part of its text. */
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
  /** What the plan calls the thing that is changed. */
  readonly object: (args: Args) => string
  readonly read: (args: Args) => SqlStatement
  /** The state that the rows say; undefined where the thing does not exist. */
  readonly stateOf: (rows: readonly SqlRow[]) => StateOf | undefined
  readonly wanted: (args: Args, was: StateOf | undefined) => StateOf | undefined
  /** Brings the thing from one state to another. The server carries out each statement as a whole. */
  readonly write: (
    args: Args,
    state: StateOf | undefined,
    now: StateOf | undefined,
  ) => readonly SqlStatement[]
  /** A state as a plan shows it: without secrets. */
  readonly show: (state: StateOf) => string
}

/** Makes a step on something in a database server; its plan shows the thing before and after. */
export function sqlStep<Args, StateOf extends State>(
  connection: SqlConnection,
  { name, title, object, read, stateOf, wanted, write, show }: SqlStepDraft<Args, StateOf>,
): StepKind<Args, Was<StateOf>, null> {
  const present = async (args: Args) => stateOf(await connection.run(read(args)))
  return stateStep<Args, StateOf>({
    name,
    plan: (args) => ({ title: title(args) }),
    preview: plannedObject({ object, read: present, wanted, show }),
    read: present,
    wanted,
    write: async (args, state, { now }) => {
      for (const statement of write(args, state, now)) await connection.run(statement)
    },
  })
}
