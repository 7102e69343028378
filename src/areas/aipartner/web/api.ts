// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const aipartner = client<typeof endpoints>({
  activateTrial: 'POST /aipartner/activate',
  readPartnerStatus: 'GET /aipartner/status',
  openPartnerChat: 'GET /aipartner/chat',
  listPartnerMessages: 'GET /aipartner/messages',
  clearPartnerMessages: 'DELETE /aipartner/messages',
  readChannel: 'GET /aipartner/channel-a',
  replaceChannel: 'POST /aipartner/channel-a',
  editChannel: 'PATCH /aipartner/channel-a',
  removeChannel: 'DELETE /aipartner/channel-a',
  installGateway: 'POST /aipartner/gateway/install',
  readGateway: 'GET /aipartner/gateway/status',
  restartGateway: 'POST /aipartner/gateway/restart',
  stopGateway: 'POST /aipartner/gateway/stop',
  removeGateway: 'DELETE /aipartner/gateway',
})
