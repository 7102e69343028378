import type { AnyStepKind } from './change.ts'
import { confirmationBy } from './confirmation.ts'
import { declare, type Declare } from './declare.ts'
import type { Endpoint, ErrorStyle } from './endpoint.ts'
import type { Guard } from './guard.ts'
import type { AnyJobKind, DeclareJob, DeclareWork } from './job.ts'
import type { MenuGroup } from './menu.ts'
import type { Contribution, Point } from './point.ts'
import type { Found, Need } from './tool.ts'

/** The detected state of a program, so that an area can be greyed with its reason. */
export interface Detected extends Found {
  readonly program: string
  /** True if the panel can install it on this host. */
  readonly installable: boolean
}

/**
 * One migration of the store's schema. All areas share one order: the name begins with the time,
 * `202611211200-…`.
 */
export interface Migration {
  readonly name: string
  readonly statements: readonly string[]
}

/** A requirement for one of the tools that an area is opened with; `any` for an area of any kind. */
type NeedIn<Deps> = 0 extends 1 & Deps ? any : NeedOn<Deps>
type NeedOn<Deps> = Deps extends { readonly tools: { detect(need: infer Needed): unknown } }
  ? Needed
  : Need<string>

/** The table of contents of one area. */
export interface AreaDraft<Context, Deps> {
  readonly name: string
  readonly title: string
  /** Below /api. */
  readonly base: string
  /** Further base paths; an endpoint below one names it. */
  readonly bases?: readonly string[]
  readonly guard: Guard
  readonly plugin?: string
  /** Its plugin where the area itself looks at the switch, because it answers in part while that is off. */
  readonly ownSwitch?: string
  readonly feature?: string
  readonly errors: ErrorStyle
  /** The exports of the modules that declare them; an endpoint's name is that of its export. */
  readonly endpoints: Endpoints
  /** The exports of model.ts: its schemas are components of the published document, by these names. */
  readonly schemas?: Readonly<Record<string, unknown>>
  /** Plain jobs and long work. */
  readonly jobs?: readonly AnyJobKind[]
  readonly migrations?: readonly Migration[]
  /** The titles of the activity entries that the area writes itself, by their action. */
  readonly entries?: Readonly<Record<string, string>>
  /** The kinds of steps that this area's own changes use, so that they can be settled after a restart. */
  readonly steps?: (context: Context) => readonly AnyStepKind[]
  /** The extension points at which areas that use this one can contribute. */
  readonly points?: readonly Point<any>[]
  /** The parts that this area adds at points of areas that it uses. */
  readonly contributes?: (context: Context) => readonly Contribution[]
  /** The areas whose index this one imports. */
  readonly uses?: readonly Area<any, any>[]
  /**
   * The area's place in the menu of the panel; absent when it has no page. Its pages and icon are in
   * `web/pages.ts`.
   */
  readonly menu?: {
    readonly group: MenuGroup
    readonly path: string
    /** Ascending within the group. */
    readonly order: number
  }
  /** The tools without which the area is greyed, by name; `oneOf(...)` for alternatives. */
  readonly needs?: readonly NeedIn<Deps>[]
  /**
   * Background work such as a watch: begun with the panel's background work, ended before its store closes.
   */
  readonly background?: (context: Context) => { stop(): Promise<void> }
  /**
   * Binds the area to the host and the store; its endpoints and those of areas that use it receive the
   * result.
   */
  readonly open: (deps: Deps) => Context
}

/** Endpoints by name. */
export type Endpoints = Readonly<Record<string, Endpoint<any>>>

export interface Area<Context = unknown, Deps = never> extends AreaDraft<Context, Deps> {}

/** Declares an area. */
export function area<Context, Deps>(draft: AreaDraft<Context, Deps>): Area<Context, Deps> {
  return draft
}

/** The declaring functions of an area whose runs receive `Context`. */
area.of = <Context>(): {
  readonly endpoint: Declare<Context>
  readonly job: DeclareJob<Context>
  readonly work: DeclareWork<Context>
  /** Declares the endpoints that confirm the provisional changes that name a lock, and cancel them. */
  readonly confirmation: ReturnType<typeof confirmationBy<Context>>
} => ({
  endpoint: declare as Declare<Context>,
  job: ((draft: unknown) => draft) as DeclareJob<Context>,
  work: ((draft: unknown) => draft) as DeclareWork<Context>,
  confirmation: confirmationBy(declare as Declare<Context>),
})
