import { once } from 'node:events'
import { connect } from 'node:net'

// Run as a program inside a host: node half-sent.ts PORT COUNT ANNOUNCED SENT LIMIT_SECONDS. Begins COUNT
// sign-ins that announce more bytes than they send, and keeps their connections open. Prints a line when all
// bytes are sent, and another when the panel has closed all connections or the limit is reached.
const [port, count, announced, sent, limit] = process.argv.slice(2)
const head = `POST /api/auth/login HTTP/1.1\r\nHost: panel\r\nContent-Length: ${announced}\r\n\r\n`
const bytes = Buffer.alloc(Number(sent), 'x')
const answers: Record<string, number> = {}
const startedAt = performance.now()
let open = 0

const sockets = await Promise.all(Array.from({ length: Number(count) }, begin))
const elapsed = () => Math.round(performance.now() - startedAt)
console.log(JSON.stringify({ sentMs: elapsed(), open }))
const late = setTimeout(() => sockets.forEach((socket) => socket.destroy()), Number(limit) * 1000)
await Promise.all(sockets.map(async (socket) => socket.closed || (await once(socket, 'close'))))
clearTimeout(late)
console.log(JSON.stringify({ closedMs: elapsed(), answers }))

async function begin() {
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  socket.once('close', () => open--)
  socket.once('data', (answer) => {
    const status = answer.toString('latin1', 9, 12)
    answers[status] = (answers[status] ?? 0) + 1
  })
  await once(socket, 'connect')
  open++
  await new Promise((resolve) => socket.write(Buffer.concat([Buffer.from(head), bytes]), resolve))
  return socket
}
