import { point } from '../../core/point.ts'

/** A service that an area of the panel drives. */
export interface DrivenService {
  readonly service: string
  /** The title of the area. */
  readonly title: string
  /** The page of the area. */
  readonly path: string
}

/** The services that areas drive: their page offers more than start and stop. */
export const drivenServices = point<DrivenService>('driven services')

/** Returns why a service cannot be started now, as the end of "name: …"; undefined if it can, or belongs to another area. */
export const startObstacles = point<(service: string) => Promise<string | undefined>>(
  'obstacles to the start of services',
)
