/** One service as people see it. */
export interface ServiceStatus {
  readonly name: string
  readonly description: string
  readonly active: boolean
  readonly enabled: boolean
  readonly state: string
  readonly memory_bytes: number | null
  readonly started_at: string | null
}

export interface ServicesFound {
  readonly present: boolean
  readonly kind: 'systemd' | 'init' | 'none'
  readonly version: string | null
  readonly healthy: boolean
  readonly reason: string | null
}

export const serviceVerbs = ['start', 'stop', 'restart', 'reload', 'enable', 'disable'] as const
export type ServiceVerb = (typeof serviceVerbs)[number]

/** What else a stop of a service affects, by the names of the units. */
export interface Dependents {
  /** The running units that the service system stops with it. */
  readonly stopped: readonly string[]
  /** The running sockets, timers and paths that may start it again. */
  readonly triggers: readonly string[]
}

/** What the start of a service does to the host. */
export interface StartEffects {
  /** It powers the host off, restarts or suspends it, or leaves it to a single user. */
  readonly endsHost: boolean
  /** It opens a console, loads kernel modules, starts processes of other accounts, or restarts the host when it fails. */
  readonly opensRoot: boolean
  /** The units that the service system stops for it. */
  readonly stopped: readonly string[]
}

/** The operations of one service system. */
export interface ServiceDriver {
  detect(): Promise<ServicesFound>
  list(): Promise<readonly ServiceStatus[]>
  status(name: string): Promise<ServiceStatus | undefined>
  startedAt(name: string): Promise<number | undefined>
  command(name: string, verb: ServiceVerb): readonly [string, ...string[]]
  dependents(name: string): Promise<Dependents>
  startEffects(name: string): Promise<StartEffects>
  /** The service that the panel runs in; undefined if it was started in another way. */
  own(): Promise<string | undefined>
  isStoppedOnPurpose(name: string): Promise<boolean>
  reloadUnits(): Promise<void>
}
