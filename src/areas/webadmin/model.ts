import Type, { type Static } from 'typebox'
import { Revealed, Text } from '../../core/schemas.ts'

const Nullable = (length: number, description: string) =>
  Type.Union([Text(length), Type.Null()], { description })

export const Webadmin = Type.Object({
  installed: Type.Boolean({ description: 'Whether phpMyAdmin is installed' }),
  version: Nullable(20, 'Version of phpMyAdmin'),
  path: Nullable(100, 'Path below which the web server serves it; null where it is not served'),
  url: Nullable(500, 'Address at which it is served'),
})
export type Webadmin = Static<typeof Webadmin>

export const WebadminInstalled = Type.Object({
  success: Type.Literal(true),
  message: Text(500),
})

export const WebadminUpdated = Type.Object({
  success: Type.Literal(true),
  old_version: Text(20, { description: 'Version before' }),
  new_version: Text(20, { description: 'Version that is served; that before where there is no newer one' }),
})

export const WebadminLogin = Type.Object({
  db_user: Text(128, {
    minLength: 1,
    description: 'Account of the SQL server',
    expects: 'the name of an account of the SQL server',
  }),
})

export const WebadminAddress = Type.Object({
  url: Revealed({ description: 'Signs a browser in once, within 60 seconds' }),
})
