import Type, { type Static } from 'typebox'
import { Id, Optional, Text, Time, UnixName } from '../../core/schemas.ts'

const most = (maximum: number, description: string) =>
  Type.Union([Type.Integer({ minimum: 0, maximum }), Type.Null()], {
    description: `${description}; null for no limit`,
    expects: `a whole number from 0 to ${maximum}, or null`,
  })
const atLeast = (minimum: number, maximum: number, description: string) =>
  Type.Union([Type.Integer({ minimum, maximum }), Type.Null()], {
    description: `${description}; null for no limit`,
    expects: `a whole number from ${minimum} to ${maximum}, or null`,
  })

/** What a hosting user may have and use. */
export const UserLimits = Type.Object({
  websites: most(100_000, 'Websites'),
  disk_mb: most(100_000_000, 'Size of the home, in MiB, which is measured and reported'),
  cpu_percent: atLeast(5, 100_000, 'Time of processors: 200 is two of them'),
  memory_mb: atLeast(64, 10_000_000, 'Memory of all processes, in MiB'),
  tasks: atLeast(20, 1_000_000, 'Processes and threads'),
})
export type UserLimits = Static<typeof UserLimits>

const PackageName = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9](?:[A-Za-z0-9 ._-]*[A-Za-z0-9._-])?$',
  description: 'Name of a package',
  expects: 'letters, digits, spaces and . _ -',
})

const Usage = Type.Object({
  websites: Type.Integer({ minimum: 0 }),
  disk_bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Size of the home; null until it was measured',
  }),
  measured_at: Type.Union([Time, Type.Null()], { description: 'When the home was measured' }),
  memory_bytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Memory of all processes; null if nothing runs, or the host does not count it',
  }),
  tasks: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Processes and threads' }),
  cpu_seconds: Type.Union([Type.Number({ minimum: 0 }), Type.Null()], {
    description: 'Time of processors since the first process started',
  }),
})

export const LimitsOfUsers = Type.Object({
  reason: Type.Union([Text(500), Type.Null()], {
    description: 'Why CPU, memory and tasks are not limited on this host',
  }),
  packages: Type.Array(
    Type.Object({ name: PackageName, limits: UserLimits, users: Type.Integer({ minimum: 0 }) }),
    { maxItems: 1000, description: 'Named sets of limits; only superusers see them' },
  ),
  users: Type.Array(
    Type.Object({
      user_id: Id,
      username: UnixName,
      package: Type.Union([PackageName, Type.Null()]),
      limits: UserLimits,
      usage: Usage,
      exceeded: Type.Array(Text(40), { maxItems: 5, description: 'Limits that the usage exceeds' }),
    }),
    { maxItems: 100_000, description: 'Hosting users: yourself, or all for a superuser' },
  ),
})
export type LimitsOfUsers = Static<typeof LimitsOfUsers>

const LimitsDraft = Type.Partial(UserLimits, { description: 'Limits; one that is absent is not limited' })

export const LimitsEdit = Type.Object({
  packages: Optional(
    Type.Array(Type.Object({ name: PackageName, limits: LimitsDraft }), {
      maxItems: 1000,
      description: 'All packages, instead of those that there are',
    }),
  ),
  users: Optional(
    Type.Array(
      Type.Object({
        user_id: Id,
        package: Optional(
          Type.Union([PackageName, Type.Null()], { description: 'Instead of limits of its own' }),
        ),
        limits: Optional(LimitsDraft),
      }),
      { maxItems: 1000, description: 'Users whose limits change; others keep theirs' },
    ),
  ),
})
export type LimitsEdit = Static<typeof LimitsEdit>

export const unlimited: UserLimits = {
  websites: null,
  disk_mb: null,
  cpu_percent: null,
  memory_mb: null,
  tasks: null,
}
