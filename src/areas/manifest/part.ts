import type { Change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import type { ApplyInput, Operation } from './model.ts'
import type { Planned } from './planned.ts'

/** What one section of a manifest does. */
export interface Part {
  readonly operations: readonly Operation[]
  readonly changes: readonly Change[]
  /** What has to be confirmed besides deletions. */
  readonly risks?: readonly string[]
}

/** What a section is decided from. */
export interface Applying extends Omit<Deciding, 'id'> {
  readonly planned: Planned
  readonly input: Pick<ApplyInput, 'manifest' | 'prune' | 'ids' | 'passwords'>
  readonly passwords: Passwords
  /** True if nothing is applied: passwords are not hashed then, which takes a while for each. */
  readonly isPlan: boolean
}

/** The passwords of new objects. */
export interface Passwords {
  /** Returns the password for a place of the manifest; notes whose it is. */
  take(path: string, object: string): string
}

/** Collects what is done with the objects of one section. */
export class PartDraft {
  readonly operations: Operation[] = []
  readonly changes: Change[] = []
  readonly risks: string[] = []

  /** Adds an operation with what its changes say of their effects. */
  add(operation: Operation, ...changes: readonly Change[]): void {
    const effects = changes.flatMap(({ details = [] }) => details)
    this.operations.push({ ...operation, details: [...new Set([...operation.details, ...effects])] })
    this.changes.push(...changes)
  }
}
