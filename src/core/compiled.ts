import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/** Checks values against a schema, which it compiles for the first one. */
export interface Compiled<Schema extends TSchema> {
  Check(value: unknown): value is Static<Schema>
  /** Returns the value as one of the schema; throws if it is none. */
  Parse(value: unknown): Static<Schema>
}

/** Returns the checker of a schema; declaring one costs nothing at start. */
export function compiled<const Schema extends TSchema>(schema: Schema): Compiled<Schema> {
  let validator: Compiled<Schema> | undefined
  const made = () => (validator ??= Compile(schema) as unknown as Compiled<Schema>)
  return {
    Check: (value): value is Static<Schema> => made().Check(value),
    Parse: (value) => made().Parse(value),
  }
}
