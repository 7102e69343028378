/** Microsoft Graph with three mailboxes of 100 messages, for a panel on the same host: `node graph.ts PORT`. */
import { addFilledMailbox } from '../../../src/areas/mailbox-backup/testing/filled-mailboxes.ts'
import { standInGraph } from '../../../src/tools/graph/testing/stand-in.ts'

const graph = await standInGraph(Number(process.argv[2]))
for (const name of ['adele', 'bob', 'carol']) addFilledMailbox(graph.mail, `${name}@example.com`)
console.log(graph.url)
