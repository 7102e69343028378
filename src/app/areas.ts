import type { Area } from '../core/area.ts'
import { auth } from '../areas/auth/index.ts'
import { users } from '../areas/users/index.ts'

/** Every area of the panel, each after those it uses. */
export const areas: readonly Area<any, any>[] = [users, auth]
