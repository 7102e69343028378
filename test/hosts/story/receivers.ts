// Runs on a host: a mail server and a receiver of webhooks, which append what they get to a file.
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { startSmtpServer } from '../../support/smtp-server.ts'

const [path = '/root/received'] = process.argv.slice(2)
const note = (what: object): void => appendFileSync(path, `${JSON.stringify(what)}\n`)

createServer((request, reply) => {
  void request
    .setEncoding('utf8')
    .toArray()
    .then((parts) => {
      note({ headers: request.headers, text: parts.join('') })
      reply.writeHead(204).end()
    })
}).listen(9980, '127.0.0.1')
await startSmtpServer({ port: 25, onReceived: note })
