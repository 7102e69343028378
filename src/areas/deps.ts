import type { Store } from '../store/store.ts'
import type { Jobs } from '../jobs/queue.ts'
import type { Executor } from '../changes/executor.ts'
import type { StepKinds } from '../changes/work.ts'
import type { UndoById } from '../changes/undo-by-id/index.ts'
import type { Host } from '../host/index.ts'
import type { Tools } from '../tools/open-tools.ts'
import type { Area, Detected } from '../core/area.ts'
import type { AnswerAgent, CallForAgent } from '../core/agent.ts'
import type { Log } from '../core/endpoint.ts'
import type { PartsOf } from '../core/point.ts'

/** What an area is bound to when the panel starts. */
export interface Deps {
  readonly store: Store
  readonly jobs: Jobs
  readonly executor: Executor
  /** Every registered kind of step, by its name; complete once all areas are open. */
  readonly steps: StepKinds
  readonly undo: UndoById
  readonly host: Host
  readonly tools: Tools
  readonly log: Log
  readonly settings: Settings
  /** What the actions of activity entries are called; complete once all areas are open. */
  actions(): ReadonlyMap<string, { readonly title: string; readonly area: string }>
  /** Answers the messages of agents. */
  readonly answerAgent: AnswerAgent
  /** Makes a request that an agent asked for earlier. */
  readonly callForAgent: CallForAgent
  /** What another area hands to those that name it in `uses`. */
  use<Context>(area: Area<Context, any>): Context
  /** Returns what areas contribute to a point, in their order; available once all areas are open. */
  readonly partsOf: PartsOf
  /** What every area says of the programs it needs. */
  survey(): Promise<readonly AreaState[]>
}

/** Whether an area can work here, and why not. */
export interface AreaState {
  readonly name: string
  readonly title: string
  readonly menu: Area['menu']
  readonly plugin: string | null
  readonly guard: Area['guard']
  readonly available: boolean
  readonly reason: string | null
  readonly programs: readonly Detected[]
}

/** The settings of the panel that areas read. */
export interface Settings {
  readonly version: string
  readonly dataDir: string | undefined
  /** The database on a PostgreSQL server that the store is in; absent where it is in the data directory. */
  readonly databaseUrl?: string
  readonly firstAdmin: { readonly email: string; readonly password: string | undefined }
  readonly homeRoot: string
  /** How much of the past of files is kept for one hosting user; defaults where absent. */
  readonly history?: {
    readonly quotaBytes: number
    readonly maxAgeDays: number
    readonly maxFileBytes: number
  }
  readonly configuration: PanelConfiguration
  /** Where this version is installed; absent for a panel that runs from a checkout. */
  readonly installation?: Installation
  /** Closes the listeners and replaces this process by a fresh one; absent for a panel under test that cannot. */
  restart?(): Promise<void>
  /** Makes the listener serve new connections with this certificate; absent if it serves no HTTPS. */
  serveCertificate?(pair: { readonly cert: string; readonly key: string }): void
}

/** The installation folder, and how the panel becomes another version of it. */
export interface Installation {
  readonly folder: string
  /** Closes the listeners and replaces this process by the current version; a panel under test returns. */
  replace(): Promise<void>
}

/** Where the settings of the panel come from. */
export interface PanelConfiguration {
  /** The file that contains them, `config.toml` in the data directory by default. */
  readonly path: string
  /** It takes precedence over the file. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The values that the panel was started with, by name. */
  readonly running: Readonly<Record<string, string>>
}
