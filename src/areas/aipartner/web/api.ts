// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const aipartner = client<typeof endpoints>({
  activateTrial: 'POST /aipartner/activate',
  readChannel: 'GET /aipartner/channel-a',
  replaceChannel: 'POST /aipartner/channel-a',
  editChannel: 'PATCH /aipartner/channel-a',
  removeChannel: 'DELETE /aipartner/channel-a',
  openPartnerChat: 'GET /aipartner/chat',
  removeGateway: 'DELETE /aipartner/gateway',
  installGateway: 'POST /aipartner/gateway/install',
  restartGateway: 'POST /aipartner/gateway/restart',
  readGateway: 'GET /aipartner/gateway/status',
  stopGateway: 'POST /aipartner/gateway/stop',
  listPartnerMessages: 'GET /aipartner/messages',
  clearPartnerMessages: 'DELETE /aipartner/messages',
  readPartnerStatus: 'GET /aipartner/status',
})
