import type { AddressInfo } from 'node:net'
import { openTestPanel } from '../../support/panel.ts'
import { serveParent } from '../http/server-process.ts'
import { shippedProgram } from '../shipped.ts'

// panel-server.ts HOME UID: the panel on a port of loopback, with one hosting user whose home that is.
const [home = '', uid = ''] = process.argv.slice(2)
const panel = await openTestPanel({
  accounts: new Map([['bench', { uid: Number(uid), home }]]),
  owners: { helperPath: shippedProgram() },
})
const { token } = await panel.person({ username: 'bench', permissions: ['websites_management'] })
await panel.app.listen({ host: '127.0.0.1', port: 0 })
serveParent({
  url: `http://127.0.0.1:${(panel.app.server.address() as AddressInfo).port}/api/filemanager/download?username=bench&path=large.bin`,
  token,
})
