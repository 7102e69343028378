import { type Problem, problem } from '../../core/problem.ts'

export const MailRefused = problem('mail_failed', 502, 'The message could not be sent')

/** A message of plain text. */
export interface Message {
  /** The SMTP server: `smtp://host:port` (STARTTLS where it is offered) or `smtps://user:password@host`. */
  readonly server: string
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly signal: AbortSignal
}

/** Sends e-mail. */
export interface Mail {
  /** Delivers a message to the SMTP server; MailRefused quotes what the server said. */
  send(message: Message): Promise<void>
}

const connectMs = 10_000
const silentMs = 20_000
/** RFC 8314: a certificate proves nothing on loopback, and the one of a mail server there is usually self-signed. */
const isLocal = (host: string): boolean => /^(?:localhost|127\.[\d.]+|\[?::1\]?)$/.test(host)

/** Opens access to SMTP servers; the library is loaded with the first message. */
export function openMail(): Mail {
  return {
    send: async ({ server, from, to, subject, text, signal }) => {
      signal.throwIfAborted()
      const { createTransport } = await import('nodemailer')
      const url = new URL(server)
      const transport = createTransport({
        url: server,
        connectionTimeout: connectMs,
        greetingTimeout: connectMs,
        socketTimeout: silentMs,
        disableFileAccess: true,
        disableUrlAccess: true,
        ...(isLocal(url.hostname) && { tls: { rejectUnauthorized: false } }),
      })
      const close = () => transport.close()
      signal.addEventListener('abort', close, { once: true })
      try {
        await Promise.race([
          transport.sendMail({ from, to: { name: '', address: to }, subject, text }),
          untilAborted(signal),
        ])
      } catch (error) {
        throw failureOf(error, signal, url)
      } finally {
        signal.removeEventListener('abort', close)
        transport.close()
      }
    },
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  if (signal.aborted) reject(signal.reason)
  return promise
}

/** The library's messages quote the server, never the password. */
function failureOf(error: unknown, signal: AbortSignal, { host }: URL): Problem {
  const isLate = signal.aborted && signal.reason instanceof Error && signal.reason.name === 'TimeoutError'
  const reason = isLate ? 'no answer in time' : error instanceof Error ? error.message : String(error)
  return MailRefused(`${host}: ${reason.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, 500)}`, {
    cause: error,
  })
}
