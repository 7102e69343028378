import Type, { type Static } from 'typebox'
import { OneOf, Text } from '../../core/schemas.ts'
import { webServerNames } from '../../tools/web-server.ts'

const Name = OneOf(webServerNames, { description: 'Which web server' })

const Missing = Type.Object({
  feature: Text(200, { description: 'What websites cannot have under it' }),
  reason: Text(500, { description: 'Why' }),
})

const Obstacle = Type.Object({
  domain: Text(254, { description: 'The website, or the user who has access rules and no website' }),
  reason: Text(500, { description: 'What it has' }),
})

const AvailableServer = Type.Object({
  name: Name,
  title: Text(50, { description: 'Its name for people' }),
  version: Type.Union([Text(50), Type.Null()], { description: 'Null if it is not installed' }),
  running: Type.Boolean({ description: 'Whether it answers' }),
  reason: Text(1000, { description: 'Why it cannot serve; empty if it can' }),
  missing: Type.Array(Missing, { maxItems: 50, description: 'What it does not have' }),
  obstacles: Type.Array(Obstacle, {
    maxItems: 100,
    description: 'The websites that prevent a switch to it, at most a hundred',
  }),
})

export const WebServers = Type.Object({
  active: Name,
  available: Type.Array(AvailableServer, { maxItems: 10, description: 'Those that the panel knows' }),
})
export type WebServers = Static<typeof WebServers>

export const WebServerSwitch = Type.Object({
  server: OneOf(webServerNames, { description: 'The web server that is to serve the websites' }),
})
export type WebServerSwitch = Static<typeof WebServerSwitch>

export const Overwrite = Type.Object({
  overwrite: Type.Boolean({
    default: false,
    description: 'Whether files of the other web server that were edited by hand are replaced',
  }),
})

export const WebServerSwitched = Type.Object({
  active: Name,
  websites: Type.Integer({ minimum: 0, description: 'How many files of sites it serves' }),
})
export type WebServerSwitched = Static<typeof WebServerSwitched>
