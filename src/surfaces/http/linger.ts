import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

type Raw = FastifyRequest['raw']

/** Requests whose client asked for the end of the connection, which ends once the body is read. */
const closing = new WeakSet<Raw>()

/**
 * Drains the rest of a body after an early response, for a limited time: a client that sends everything
 * before it reads would never see the response. A response that gives the body up (`Connection: close`) ends
 * the connection.
 */
export function drainBodies(app: FastifyInstance, lingerMs: number): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    keepUntilRead(reply)
    done()
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    drain(raw, lingerMs)
    done()
  })
}

/**
 * Keeps the connection of a response that precedes the end of the body. Node would close it with the response,
 * and the bytes that still arrive would make the kernel discard the response (RFC 9112, section 9.6).
 */
function keepUntilRead(reply: FastifyReply): void {
  const { raw } = reply.request
  if (raw.complete || reply.raw.shouldKeepAlive || reply.hasHeader('connection')) return
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers
  if (encoding === undefined && length === '0') return
  closing.add(raw)
  void reply.header('connection', 'keep-alive')
}

function drain(raw: Raw, lingerMs: number): void {
  const close = () => void (closing.has(raw) && raw.socket.destroySoon())
  if (raw.complete || raw.destroyed || raw.readableEnded) return close()
  raw.unpipe().resume()
  const timer = setTimeout(() => raw.destroy(), lingerMs).unref()
  for (const end of ['end', 'close']) raw.once(end, () => clearTimeout(timer))
  raw.once('end', close)
}
