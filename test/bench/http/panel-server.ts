import type { AddressInfo } from 'node:net'
import Type from 'typebox'
import { areas } from '../../../src/app/areas.ts'
import { openLog } from '../../../src/app/log.ts'
import { openPanel } from '../../../src/app/panel.ts'
import { area } from '../../../src/core/area.ts'
import { permission } from '../../../src/core/guard.ts'
import { data } from '../../../src/core/reply.ts'
import { Port, Text } from '../../../src/core/schemas.ts'
import { openHost } from '../../../src/host/index.ts'
import { openHttp } from '../../../src/surfaces/http/server.ts'
import { openTools } from '../../../src/tools/open-tools.ts'
import { addPerson } from '../../support/people.ts'
import { note } from './answers.ts'
import { serveParent } from './server-process.ts'

// The whole pipeline as shipped, with one more endpoint: a validated POST that does not touch the store.
const Note = Type.Object({
  name: Text(100, { minLength: 1 }),
  text: Text(1000),
  port: Port,
  tags: Type.Array(Text(50), { maxItems: 20 }),
  is_open: Type.Boolean(),
})

const { endpoint } = area.of<Record<never, never>>()
const bench = area({
  name: 'bench',
  title: 'Bench',
  base: '/bench',
  guard: permission('websites_management'),
  errors: 'coded',
  endpoints: {
    echoNote: endpoint({
      method: 'POST',
      path: '/notes',
      summary: 'Answer what was sent',
      effect: 'reads',
      body: Note,
      reply: data(Note),
      run: ({ body }) => note(body),
    }),
  },
  open: () => ({}),
})

const log = openLog('info')
const host = openHost({ log })
const settings = {
  version: 'bench',
  dataDir: undefined,
  firstAdmin: { email: 'bench@example.com', password: undefined },
  homeRoot: '/home',
  configuration: { path: '/nonexistent/config.toml', environment: {}, running: {} },
}
const panel = await openPanel({ areas: [...areas, bench], host, tools: openTools(host), settings, log })
const { app } = await openHttp({
  routes: panel.routes,
  gates: panel.gates,
  trustedProxies: [],
  accessLog: log,
})
const person = await addPerson(panel.store, {
  permissions: ['websites_management', 'booting_users_management'],
})
await app.listen({ host: '127.0.0.1', port: 0 })
serveParent({ url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, token: person.token })
