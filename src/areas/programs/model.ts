import Type from 'typebox'
import { Text } from '../../core/schemas.ts'

const Nullable = (maxLength: number, description: string) =>
  Type.Union([Text(maxLength), Type.Null()], { description })

export const Program = Type.Object({
  name: Text(50),
  present: Type.Boolean(),
  version: Nullable(100, 'Its version'),
  healthy: Type.Boolean({ description: 'Whether the areas that need it can work' }),
  reason: Nullable(1000, 'Why they cannot'),
  installable: Type.Boolean({ description: 'Whether the panel can install it on this host' }),
})

export const AreaEntry = Type.Object({
  name: Text(50),
  title: Text(100),
  group: Nullable(50, 'Group in the menu; null when it has no page'),
  path: Nullable(100, 'Page of the area'),
  order: Type.Integer(),
  allowed: Type.Boolean({ description: 'Whether your account may use it' }),
  denial: Nullable(300, 'Why your account may not'),
  available: Type.Boolean({ description: 'Whether it can work on this host' }),
  reason: Nullable(1000, 'Why it cannot'),
  programs: Type.Array(Program, { maxItems: 20 }),
})
