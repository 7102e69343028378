import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import type { Deps } from '../deps.ts'
import { phpRules, siteParts, websites } from '../websites/index.ts'
import { type Context, openPhpArea } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createPhpSecurity } from './migrations/202611231750-php-security.ts'
import * as model from './model.ts'
import { readRules } from './security.ts'
import { phpExceptions } from './store.ts'
import { installing, removing } from './versions.ts'

export const php = area({
  name: 'php',
  title: 'PHP',
  base: '/php',
  bases: ['/settings'],
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [installing, removing],
  migrations: [createPhpSecurity],
  uses: [websites],
  contributes: ({ php }: Context) => [
    contribution(phpRules, () => readRules(php)),
    contribution(siteParts, {
      deleted: async ({ id }) => ({ rows: [phpExceptions.delete({ website_id: id })] }),
      suspended: async () => [],
    }),
  ],
  open: (deps: Deps): Context => ({ php: openPhpArea(deps) }),
})
