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

/** The operations of one service system. */
export interface ServiceDriver {
  detect(): Promise<ServicesFound>
  list(): Promise<readonly ServiceStatus[]>
  status(name: string): Promise<ServiceStatus | undefined>
  startedAt(name: string): Promise<number | undefined>
  command(name: string, verb: ServiceVerb): readonly [string, ...string[]]
  isStoppedOnPurpose(name: string): Promise<boolean>
  reloadUnits(): Promise<void>
}
