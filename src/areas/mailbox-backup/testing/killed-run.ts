/** A panel that backs mailboxes up until it is killed: `node killed-run.ts DATA_DIR ROOT GRAPH_URL`. */
import { openTestPanel } from '../../../../test/support/panel.ts'

const [, , dataDir = '', root = '', graphUrl = ''] = process.argv
const panel = await openTestPanel({
  dataDir,
  root,
  environment: {
    HOSTREEVE_FEATURES: 'mailbox_backup',
    HOSTREEVE_GRAPH_URL: graphUrl,
    HOSTREEVE_GRAPH_LOGIN_URL: graphUrl,
  },
})
await panel.start()
const { status, json } = await panel.request('POST', '/api/mailbox-backup/run', { as: panel.admin, body: {} })
console.log(status, JSON.stringify(json))
