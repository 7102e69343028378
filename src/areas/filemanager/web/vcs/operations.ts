import type { Status } from './queries.ts'

/** What git can have begun in a repository. */
export type Operation = Exclude<Status['operation'], 'none'>

/** How each is called, and whether the panel can end it. */
export const operationText: Readonly<Record<Operation, { readonly one: string; readonly canEnd: boolean }>> =
  {
    merge: { one: 'merge', canEnd: true },
    rebase: { one: 'rebase', canEnd: false },
    cherry_pick: { one: 'cherry pick', canEnd: true },
    revert: { one: 'revert', canEnd: true },
    am: { one: 'series of patches', canEnd: false },
    bisect: { one: 'bisection', canEnd: false },
  }
