import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A message that the server has taken. */
export interface Received {
  readonly from: string
  readonly to: readonly string[]
  /** Header and body. */
  readonly text: string
}

/** A mail server. */
export interface TestSmtpServer {
  readonly port: number
  /** The oldest first. */
  readonly received: Received[]
  /** What the next messages are refused with; undefined takes them. */
  refusal: string | undefined
  close(): Promise<void>
}

interface SmtpServerOptions {
  /** Messages are taken from the user `panel` with this password alone. */
  readonly password?: string
  /** Default: any free one. */
  readonly port?: number
  /** Default: loopback. */
  readonly host?: string
  /** Offers STARTTLS, and takes the password over TLS only. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** Speaks TLS from the first byte. */
  readonly isTlsFirst?: boolean
  readonly onReceived?: (message: Received) => void
}

/** Starts a mail server. */
export async function startSmtpServer({
  password,
  port = 0,
  host = '127.0.0.1',
  tls,
  isTlsFirst = false,
  onReceived,
}: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const server = new SMTPServer({
    secure: isTlsFirst,
    authOptional: password === undefined,
    ...(tls ?? { allowInsecureAuth: true, disabledCommands: ['STARTTLS'] }),
    onAuth: (auth, _session, done) => {
      const isRight = auth.username === 'panel' && auth.password === password
      done(isRight ? null : new Error('Invalid credentials'), isRight ? { user: 'panel' } : undefined)
    },
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('error', done)
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const text = Buffer.concat(parts).toString()
        const to = rcptTo.map(({ address }) => address)
        const message = { from: mailFrom ? mailFrom.address : '', to, text }
        if (own.refusal === undefined) own.received.push(message)
        if (own.refusal === undefined) onReceived?.(message)
        done(own.refusal === undefined ? null : new Error(own.refusal))
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(port, host, () => resolve()))
  const own: TestSmtpServer = {
    port: (server.server.address() as AddressInfo).port,
    received: [],
    refusal: undefined,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return own
}
