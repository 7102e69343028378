// Runs on a host: a mail relay with STARTTLS on the port for submission, which appends what it gets to a file.
import { appendFileSync, readFileSync } from 'node:fs'
import { startSmtpServer } from '../../support/smtp-server.ts'

const [path = '', certPath = '', keyPath = '', password = ''] = process.argv.slice(2)

await startSmtpServer({
  host: '0.0.0.0',
  port: 587,
  password,
  tls: { cert: readFileSync(certPath, 'utf8'), key: readFileSync(keyPath, 'utf8') },
  onReceived: (message) => appendFileSync(path, `${JSON.stringify(message)}\n`),
})
