import type { Status } from './queries.ts'

/** An operation that git may have in progress in a repository. */
export type Operation = Exclude<Status['operation'], 'none'>

/** The label of each operation, and a flag if the panel can abort it. */
export const operationText: Readonly<Record<Operation, { readonly one: string; readonly canEnd: boolean }>> =
  {
    merge: { one: 'merge', canEnd: true },
    rebase: { one: 'rebase', canEnd: false },
    cherry_pick: { one: 'cherry pick', canEnd: true },
    revert: { one: 'revert', canEnd: true },
    am: { one: 'series of patches', canEnd: false },
    bisect: { one: 'bisection', canEnd: false },
  }
