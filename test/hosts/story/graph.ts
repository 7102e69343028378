/** Microsoft Graph for a panel on the same host: with three mailboxes of 100 messages, `node graph.ts PORT`, or with a large one, `node graph.ts PORT MESSAGES`. */
import { addFilledMailbox } from '../../../src/areas/mailbox-backup/testing/filled-mailboxes.ts'
import { standInGraph } from '../../../src/tools/graph/testing/stand-in.ts'

const [, , port, messages] = process.argv
const graph = await standInGraph(Number(port))
if (messages === undefined)
  for (const name of ['adele', 'bob', 'carol']) addFilledMailbox(graph.mail, `${name}@example.com`)
else {
  const user = graph.mail.addUser('erin@example.com')
  // a hundred in each: the stand-in goes through a folder for each part that it sends
  for (let index = 0; index < Number(messages); index += 100) {
    const folder = graph.mail.addFolder(user, `Folder ${index}`)
    for (let count = index; count < index + 100; count += 1) graph.mail.addMessage(folder, `Message ${count}`)
  }
}
console.log(graph.url)
