// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const nettools = client<typeof endpoints>({
  startCapture: 'POST /nettools/capture/start',
  listPackets: 'GET /nettools/capture/{id}/packets',
  downloadCapture: 'GET /nettools/capture/{id}/pcap',
  captureStatus: 'GET /nettools/capture/{id}/status',
  stopCapture: 'POST /nettools/capture/{id}/stop',
  listEntries: 'GET /nettools/history/{field}',
  addEntry: 'POST /nettools/history/{field}',
  clearEntries: 'DELETE /nettools/history/{field}',
  httping: 'POST /nettools/httping',
  installHttping: 'POST /nettools/httping/install',
  httpingStatus: 'GET /nettools/httping/status',
  streamHttping: 'POST /nettools/httping/stream',
  listInterfaces: 'GET /nettools/interfaces',
  ping: 'POST /nettools/ping',
  streamPing: 'POST /nettools/ping/stream',
  portcheck: 'POST /nettools/portcheck',
  traceroute: 'POST /nettools/traceroute',
  streamTraceroute: 'POST /nettools/traceroute/stream',
})
