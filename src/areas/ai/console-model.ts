import Type, { type Static } from 'typebox'
import { Masked, Optional, Prose, Text } from '../../core/schemas.ts'

export const ConsoleStatus = Type.Object({
  enabled: Type.Boolean({ description: 'Whether the assistant serves the console' }),
  running: Type.Boolean({ description: 'Whether it answers' }),
  url: Text(300, { description: 'Its address on this host' }),
  lan: Type.Boolean({ description: 'Whether the network reaches it' }),
  lan_port: Type.Union([Type.Integer({ minimum: 1, maximum: 65_535 }), Type.Null()], {
    description: 'The port on which it is served over TLS',
  }),
  lan_url: Type.Union([Text(300), Type.Null()], { description: 'Its address for the network' }),
  token: Optional(
    Masked({ maxLength: 1000, description: 'By which a browser signs in; shown in full with reveal=1' }),
  ),
})
export type ConsoleStatus = Static<typeof ConsoleStatus>

export const ConsoleHealth = Type.Object({
  healthy: Type.Boolean(),
  checks: Type.Array(
    Type.Object({
      name: Text(50, { description: 'service, gateway, ready, page or lan' }),
      ok: Type.Boolean(),
      detail: Prose(2000),
    }),
    { maxItems: 10 },
  ),
})
export type ConsoleHealth = Static<typeof ConsoleHealth>
