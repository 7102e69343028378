// Runs on a host: a mail relay with STARTTLS on the port for submission, and with TLS from the first byte on 465, which appends
// what it gets to a file.
import { appendFileSync, readFileSync } from 'node:fs'
import { type Received, startSmtpServer } from '../../support/smtp-server.ts'

const [path = '', certPath = '', keyPath = '', password = ''] = process.argv.slice(2)

const shared = {
  host: '0.0.0.0',
  password,
  tls: { cert: readFileSync(certPath, 'utf8'), key: readFileSync(keyPath, 'utf8') },
  onReceived: (message: Received) => appendFileSync(path, `${JSON.stringify(message)}\n`),
}
await startSmtpServer({ ...shared, port: 465, isTlsFirst: true })
await startSmtpServer({ ...shared, port: 587 })
