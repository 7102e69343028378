/** Microsoft Graph with two mailboxes, for a panel on the same host: `node graph.ts PORT`. */
import { addFilledMailbox } from '../../../src/areas/mailbox-backup/testing/filled-mailboxes.ts'
import { standInGraph } from '../../../src/tools/graph/testing/stand-in.ts'

const graph = await standInGraph(Number(process.argv[2]))
for (const address of ['adele@example.com', 'bob@example.com']) addFilledMailbox(graph.mail, address)
console.log(graph.url)
